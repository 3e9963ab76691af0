package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

func (*completionCmd) Help() string {
	return help("Examples:", "  source <(purecl completion bash)", "  purecl completion fish > ~/.config/fish/completions/purecl.fish")
}

// Run derives the script from the command table, so that it has every flag.
func (c *completionCmd) Run(parser *kong.Kong) error {
	type command struct {
		name, help string
		flags      []string
	}
	var cmds []command
	var names []string
	for _, n := range parser.Model.Children {
		cmd := command{name: n.Name, help: n.Help}
		for _, f := range n.Flags {
			if f.Hidden {
				continue
			}
			cmd.flags = append(cmd.flags, "--"+f.Name)
		}
		cmds = append(cmds, cmd)
		names = append(names, n.Name)
	}
	switch c.Shell {
	case "bash", "zsh":
		if c.Shell == "zsh" {
			fmt.Println("autoload -U +X bashcompinit && bashcompinit")
		}
		fmt.Println("_purecl() {\n  local cur=${COMP_WORDS[COMP_CWORD]} words=")
		fmt.Printf("  if [ $COMP_CWORD -eq 1 ]; then words='%s'; else case ${COMP_WORDS[1]} in\n", strings.Join(names, " "))
		for _, cmd := range cmds {
			fmt.Printf("    %s) words='%s' ;;\n", cmd.name, strings.Join(cmd.flags, " "))
		}
		fmt.Println("  esac; fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\") $(compgen -f -- \"$cur\"))\n}\ncomplete -o filenames -F _purecl purecl")
	case "fish":
		for _, cmd := range cmds {
			fmt.Printf("complete -c purecl -n __fish_use_subcommand -a %s -d '%s'\n", cmd.name, strings.ReplaceAll(cmd.help, "'", `\'`))
			for _, f := range cmd.flags {
				fmt.Printf("complete -c purecl -n '__fish_seen_subcommand_from %s' -l %s\n", cmd.name, strings.TrimPrefix(f, "--"))
			}
		}
	}
	return nil
}
