//go:build cgo && linux

#include "driver.h"
#include <signal.h>
#include <string.h>

// A chain of handlers of SIGINT: the driver's, which counts, and behind it the host's.
//
// The host may set another handler while the driver's is in place, and that may call the one
// that it has replaced, which is the driver's. The driver then puts its own in front again
// and keeps both of the host's: a call from the newer one goes on to the older.

enum { most = 8 };
static struct sigaction hosts[most]; // the host's handlers, the newest last
static int count;                    // of hosts
static int known;                    // hosts[0] is one, also after count has become 0
uint32_t purecl_interrupts;
static __thread int depth __attribute__((tls_model("initial-exec"))); // handlers of the host's that this thread is in

static void on_interrupt(int sig, siginfo_t *info, void *context)
{
	int n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
	if (n == 0)
		n = __atomic_load_n(&known, __ATOMIC_ACQUIRE); // the host has put back what it once found
	int i = n - 1 - depth;
	if (depth == 0)
		__atomic_fetch_add(&purecl_interrupts, 1, __ATOMIC_RELAXED);
	if (i < 0)
		return;
	depth++;
	if (hosts[i].sa_flags & SA_SIGINFO)
		hosts[i].sa_sigaction(sig, info, context);
	else
		hosts[i].sa_handler(sig);
	depth--;
}

static int ours(const struct sigaction *a) { return (a->sa_flags & SA_SIGINFO) && a->sa_sigaction == on_interrupt; }

// A handler that is to be called: not one that the system replaces by the default action when
// it calls it, which ends the process at the second signal.
static int handles(const struct sigaction *a)
{
	return ((a->sa_flags & SA_SIGINFO) || (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN)) && !(a->sa_flags & SA_RESETHAND);
}

static int same(const struct sigaction *a, const struct sigaction *b)
{
	return ((a->sa_flags ^ b->sa_flags) & SA_SIGINFO) == 0 && (a->sa_flags & SA_SIGINFO ? a->sa_sigaction == b->sa_sigaction : a->sa_handler == b->sa_handler);
}

// purecl_watch_interrupts puts the driver's handler in front of the host's, if the host has
// one. It is called again and again while kernels run, by one thread at a time.
void purecl_watch_interrupts(void)
{
	struct sigaction host, now;
	if (sigaction(SIGINT, NULL, &host) || ours(&host) || !handles(&host))
		return;
	if (count == 0 || !same(&host, &hosts[count - 1])) {
		if (count == most)
			return;
		hosts[count] = host;
		__atomic_store_n(&known, 1, __ATOMIC_RELEASE);
		__atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
	}
	struct sigaction act = host;
	act.sa_sigaction = on_interrupt;
	act.sa_flags |= SA_SIGINFO | SA_ONSTACK; // threads of Go's have small stacks
	if (!sigaction(SIGINT, &act, &now) && !ours(&now) && !same(&now, &host))
		sigaction(SIGINT, &now, NULL); // the host has set another one meanwhile
}

// purecl_unwatch_interrupts gives the host its handler back, unless it has set another.
void purecl_unwatch_interrupts(void)
{
	struct sigaction now;
	if (count == 0 || sigaction(SIGINT, NULL, &now) || !ours(&now))
		return;
	if (sigaction(SIGINT, &hosts[count - 1], &now))
		return;
	if (!ours(&now)) // as above
		sigaction(SIGINT, &now, NULL);
	else
		__atomic_store_n(&count, count - 1, __ATOMIC_RELEASE);
}
