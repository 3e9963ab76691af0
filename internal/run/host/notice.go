package host

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/run/exec"
)

// A Notice is a message of a context that belongs to no call.
type Notice struct {
	Kind    NoticeKind
	Kernel  string   // the kernel of the launch; "" for other commands
	Program string   // eight hexadecimal digits, the same for equal sources and options
	Finding *Finding // of a NoticeFinding
	Message string   // one or more lines, each with its newline
}

// A NoticeKind is the subject of a notice.
type NoticeKind uint8

// The kinds.
const (
	NoticeFinding  NoticeKind = iota // a kernel made a mistake
	NoticeError                      // a command failed for another reason
	NoticeBug                        // an error of PureCL itself
	NoticeFallback                   // a kernel runs on the reference executor, which is slow
)

// SetNotices replaces the function that was given to [NewContext]: fn is called for events outside of calls,
// from any goroutine. Call SetNotices before the context is used.
func (c *Context) SetNotices(fn func(*Notice)) { c = or(c); c.notices = fn }

// tell passes a notice to the context's function.
func (c *Context) tell(n *Notice) {
	switch {
	case c.notices != nil:
		c.notices(n)
	case c.notify != nil && n.Kind != NoticeFallback:
		c.notify(n.Message)
	}
}

// about returns a notice for a launch of the kernel.
func (k *Kernel) about(kind NoticeKind, message string) *Notice {
	return &Notice{Kind: kind, Kernel: k.Name(), Program: k.prog.digest(), Message: message}
}

// tellError reports that a command failed; k is nil unless the command is a launch. For a bug of ours the
// notice contains the text of a bug report.
func (c *Context) tellError(k *Kernel, err error) {
	n := &Notice{Kind: NoticeError, Message: err.Error() + "\n"}
	if k != nil {
		n = k.about(n.Kind, n.Message)
	}
	var internal *exec.InternalError
	if errors.As(err, &internal) {
		n.Kind, n.Message = NoticeBug, internal.Report()
	}
	c.tell(n)
}

// tellReport reports the findings of a launch. Unless checks were requested, it also reports the reason for a slow
// launch, once for each kernel.
func (c *Context) tellReport(k *Kernel, checks Checks, rep *Report) {
	for i := range rep.Findings {
		n := k.about(NoticeFinding, rep.Findings[i].Rendered)
		n.Finding = &rep.Findings[i]
		c.tell(n)
	}
	if f := rep.fallback; f != nil && checks == CheckNone && k.prog.firstTime(k.Name(), f.String()) {
		n := k.about(NoticeFallback, fmt.Sprintf("kernel %s runs on the reference executor, there is no machine code: %s\n", k.Name(), f.Reason))
		if f.Bug != nil {
			n.Kind, n.Message = NoticeBug, f.Bug.Report()
		}
		c.tell(n)
	}
}

// digest returns a name for the program from its source and options.
func (p *Program) digest() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.name == "" {
		h := sha256.New()
		fmt.Fprintln(h, p.source.Text)
		for i := range p.targets {
			for _, u := range p.targets[i].built.units {
				fmt.Fprintln(h, u.Options, u.Source.Text)
			}
		}
		p.name = fmt.Sprintf("%x", h.Sum(nil)[:4])
	}
	return p.name
}

// firstTime reports whether this is the first call for a kernel and a reason.
func (p *Program) firstTime(kernel, reason string) bool {
	_, told := p.told.LoadOrStore([2]string{kernel, reason}, true)
	return !told
}
