// The extension starts `purecl lsp`, runs kernels in a terminal and shows explanations of diagnostics.
import * as path from "path";
import * as vscode from "vscode";
import { ExecuteCommandSignature, LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const explainCommand = "purecl.explain"; // of the server
const runCommand = "purecl.run"; // of the server's lenses

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const explanations = new Explanations();
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(Explanations.scheme, explanations),
    vscode.commands.registerCommand(runCommand, (uri: string, kernel: string) => run(vscode.Uri.parse(uri), kernel)),
    vscode.commands.registerCommand("purecl.runKernel", runChosen),
    vscode.commands.registerCommand("purecl.debugKernel", debugChosen),
    vscode.debug.registerDebugAdapterDescriptorFactory("purecl", { createDebugAdapterDescriptor: adapter }),
    vscode.commands.registerCommand("purecl.explainDiagnostic", () => explainHere()),
    vscode.commands.registerCommand("purecl.restart", () => client?.restart()),
    vscode.workspace.onDidChangeConfiguration(async (e) => {
      if (e.affectsConfiguration("purecl.path")) {
        await client?.stop();
        await start(explanations);
      }
    }),
  );
  await start(explanations);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("purecl");
}

function program(): string {
  return settings().get<string>("path") || "purecl";
}

async function start(explanations: Explanations): Promise<void> {
  const server: ServerOptions = { command: program(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "opencl" }, { language: "go", scheme: "file" }],
    initializationOptions: settings(),
    synchronize: { configurationSection: "purecl" },
    middleware: {
      // The server answers with Markdown, which the editor would drop.
      executeCommand: async (command: string, args: unknown[], next: ExecuteCommandSignature) => {
        const result: unknown = await next(command, args);
        if (command === explainCommand && typeof result === "string") {
          await explanations.show(String(args[0]), result);
        }
        return result;
      },
    },
  };
  client = new LanguageClient("purecl", "PureCL", server, options);
  try {
    await client.start();
  } catch (e) {
    const choice = await vscode.window.showErrorMessage(`PureCL: ${program()} lsp does not start: ${e instanceof Error ? e.message : String(e)}`, "Settings");
    if (choice) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "purecl.path");
    }
  }
}

// adapter starts `purecl debug --dap`, or connects to a program whose kernel waits for a debugger.
function adapter(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
  if (session.configuration.request === "attach") {
    return new vscode.DebugAdapterServer(Number(session.configuration.port), "127.0.0.1");
  }
  return new vscode.DebugAdapterExecutable(program(), ["debug", "--dap"]);
}

// debugChosen debugs a kernel of the file that is shown.
async function debugChosen(): Promise<void> {
  await chosen(async (uri, kernel) => {
    const args = await vscode.window.showInputBox({
      title: `Arguments of ${kernel}`,
      prompt: "the kernel's arguments in order, with commas between them",
      value: lastArguments.get(`debug ${uri.toString()} ${kernel}`) ?? "zeros(16)",
    });
    if (args === undefined) {
      return;
    }
    lastArguments.set(`debug ${uri.toString()} ${kernel}`, args);
    await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), {
      type: "purecl", request: "launch", name: kernel, program: uri.fsPath, kernel, cwd: path.dirname(uri.fsPath),
      arguments: split(args), stopOnEntry: true,
    });
  });
}

// split divides a list at the commas that stand in no brackets.
function split(text: string): string[] {
  const words = [""];
  let depth = 0;
  for (const c of text) {
    depth += "([".includes(c) ? 1 : ")]".includes(c) ? -1 : 0;
    if (c === "," && depth === 0) {
      words.push("");
    } else {
      words[words.length - 1] += c;
    }
  }
  return words.map((w) => w.trim()).filter((w) => w !== "");
}

// runChosen runs a kernel of the file that is shown.
async function runChosen(): Promise<void> {
  await chosen(run);
}

// chosen calls use with a kernel of the file that is shown: the only one or one that is chosen.
async function chosen(use: (uri: vscode.Uri, kernel: string) => Promise<void>): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    return;
  }
  const lenses = (await vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", document.uri, 1000)) ?? [];
  const kernels = lenses.filter((l) => l.command?.command === runCommand).map((l) => String(l.command?.arguments?.[1]));
  const names = kernels.length > 0 ? kernels : kernelNames(document.getText());
  if (names.length === 0) {
    void vscode.window.showInformationMessage("PureCL: the file has no kernels");
    return;
  }
  const name = names.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { placeHolder: "the kernel to run" });
  if (name) {
    await use(document.uri, name);
  }
}

// kernelNames finds kernels where the server shows no lenses.
function kernelNames(text: string): string[] {
  return [...text.matchAll(/\b(?:__)?kernel\b[^;{}()]*?\bvoid\s+([A-Za-z_]\w*)\s*\(/g)].map((m) => m[1]);
}

const lastArguments = new Map<string, string>();

// run runs a kernel in a terminal, with arguments from the settings or the user.
async function run(uri: vscode.Uri, kernel: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (document?.isDirty && !(await document.save())) {
    return;
  }
  const key = `${uri.toString()} ${kernel}`;
  let args: string | undefined = settings().get<string>("runArguments") || undefined;
  args ??= await vscode.window.showInputBox({
    title: `Arguments of ${kernel}`,
    prompt: "behind `purecl run FILE -k KERNEL`: buffers and numbers with -a, work-items with -g",
    value: lastArguments.get(key) ?? "-a 'zeros(16)'",
  });
  if (args === undefined) {
    return;
  }
  lastArguments.set(key, args);
  const terminal = vscode.window.terminals.find((t) => t.name === "PureCL" && t.exitStatus === undefined) ?? vscode.window.createTerminal({ name: "PureCL", cwd: path.dirname(uri.fsPath) });
  terminal.show(true);
  terminal.sendText(`${quote(program())} run ${quote(uri.fsPath)} -k ${kernel} ${args}`);
}

// quote makes one word of the shell of a text.
function quote(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) {
    return text;
  }
  return process.platform === "win32" ? `"${text}"` : `'${text.replace(/'/g, "'\\''")}'`;
}

// explainHere explains the diagnostics under the cursor.
async function explainHere(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) {
    return;
  }
  const here = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((d) => d.source === "purecl" && d.code !== undefined)
    .sort((a, b) => Math.abs(a.range.start.line - editor.selection.active.line) - Math.abs(b.range.start.line - editor.selection.active.line))[0];
  if (!here) {
    void vscode.window.showInformationMessage("PureCL: the file has no diagnostics");
    return;
  }
  const code = typeof here.code === "object" ? here.code.value : here.code;
  await vscode.commands.executeCommand(explainCommand, String(code));
}

// Explanations are read-only documents with the explanation of a diagnostic each.
class Explanations implements vscode.TextDocumentContentProvider {
  static readonly scheme = "purecl-explain";
  private readonly texts = new Map<string, string>();

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  async show(code: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: Explanations.scheme, path: `${code}.md` });
    this.texts.set(uri.path, text);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  }
}
