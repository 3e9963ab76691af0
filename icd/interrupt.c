//go:build cgo && linux

#include "driver.h"
#include <signal.h>
#include <string.h>

// A chain of handlers of SIGINT: the driver's, which counts the signals, calls the host's.
//
// The host may set another handler while the driver's is installed. That handler may call the
// one that it has replaced, which is the driver's. The driver then installs its own again and
// keeps both handlers of the host: a call from the newer one is passed to the older.

enum { most = 8 };
static struct sigaction hosts[most]; // the host's handlers, the newest last
static int count;                    // of hosts
static int known;                    // hosts[0] is a handler, even after count has become 0
uint32_t purecl_interrupts;
static __thread int depth __attribute__((tls_model("initial-exec"))); // handlers of the host that this thread is executing

static void on_interrupt(int sig, siginfo_t *info, void *context)
{
	int n = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
	if (n == 0)
		n = __atomic_load_n(&known, __ATOMIC_ACQUIRE); // the host has restored the driver's handler
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

// handles reports whether a handler is to be called. A handler with SA_RESETHAND is not: the
// system replaces it by the default action, so that the second signal ends the process.
static int handles(const struct sigaction *a)
{
	return ((a->sa_flags & SA_SIGINFO) || (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN)) && !(a->sa_flags & SA_RESETHAND);
}

static int same(const struct sigaction *a, const struct sigaction *b)
{
	return ((a->sa_flags ^ b->sa_flags) & SA_SIGINFO) == 0 && (a->sa_flags & SA_SIGINFO ? a->sa_sigaction == b->sa_sigaction : a->sa_handler == b->sa_handler);
}

// purecl_watch_interrupts puts the driver's handler in front of the host's, if the host has
// one. It is called repeatedly while kernels run, by one thread at a time.
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
	act.sa_flags |= SA_SIGINFO | SA_ONSTACK; // Go's threads have small stacks
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
