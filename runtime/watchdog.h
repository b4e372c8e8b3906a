#ifndef PALFREY_WATCHDOG_H
#define PALFREY_WATCHDOG_H
// Sees to it that code comes back. While the watch is on and its time is over, an alarm is raised again and again on the
// thread that made the watchdog, by a signal in the midst of what it does; only a thread of its own looks at the clock, so
// that watching costs the code nothing. Code that does not even react to alarms, stuck in one call of a library, ends the
// process after six times its time.
#include "error.h"
#include "memory.h"

typedef struct Watchdog Watchdog;

/// Runs inside a signal handler: may call nothing but what is safe there.
typedef void WatchdogAlarm(void *user);

Watchdog *watchdog_create(Memory *memory, WatchdogAlarm *alarm, void *user, Error *error);
void watchdog_free(Watchdog *watchdog);

/// Gives the code that runs now that much time.
void watchdog_start(Watchdog *watchdog, double seconds);
void watchdog_stop(Watchdog *watchdog);

#endif
