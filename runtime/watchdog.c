#define _GNU_SOURCE  // pthread_sigqueue, which hands a pointer to the signal's handler: no global is needed
#include "watchdog.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 200, STUCK_TIMES = 6 };

struct Watchdog {
  Memory *memory;
  WatchdogAlarm *alarm;
  void *user;
  pthread_t thread, watched;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  bool is_ending;
  struct sigaction before;
  atomic_llong start_ms, limit_ms;  ///< limit 0: not watching
};

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void handle_signal(int number, siginfo_t *info, void *context) {
  (void)number, (void)context;
  int kept = errno;
  Watchdog *watchdog = info->si_code == SI_QUEUE ? info->si_value.sival_ptr : NULL;
  if (watchdog && atomic_load(&watchdog->limit_ms) > 0) watchdog->alarm(watchdog->user);
  errno = kept;
}

static void look(Watchdog *watchdog) {
  long long limit = atomic_load(&watchdog->limit_ms), took = now_ms() - atomic_load(&watchdog->start_ms);
  if (limit == 0 || took < limit) return;
  if (took > limit * STUCK_TIMES) {
    fprintf(stderr,
            "palfrey: error: a script did not come back for %lld s, stuck in one call such as a search for a pattern; "
            "the game is ended\n",
            took / 1000);
    _exit(EXIT_FAILURE);
  }
  pthread_sigqueue(watchdog->watched, SIGALRM, (union sigval){.sival_ptr = watchdog});
}

static void *run(void *user) {
  Watchdog *watchdog = user;
  pthread_mutex_lock(&watchdog->lock);
  while (!watchdog->is_ending) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
      until.tv_nsec -= 1000000000L;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&watchdog->wake, &watchdog->lock, &until);
    if (!watchdog->is_ending) look(watchdog);
  }
  pthread_mutex_unlock(&watchdog->lock);
  return NULL;
}

static bool start_thread(Watchdog *watchdog) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&watchdog->wake, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&watchdog->lock, NULL);
  // Signals for the process are not for this thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool is_started = pthread_create(&watchdog->thread, NULL, run, watchdog) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return is_started;
}

Watchdog *watchdog_create(Memory *memory, WatchdogAlarm *alarm, void *user, Error *error) {
  Watchdog *watchdog = memory_alloc(memory, sizeof *watchdog);
  if (!watchdog) {
    error_set_out_of_memory(error);
    return NULL;
  }
  watchdog->memory = memory;
  watchdog->alarm = alarm;
  watchdog->user = user;
  watchdog->watched = pthread_self();
  struct sigaction action = {.sa_sigaction = handle_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGALRM, &action, &watchdog->before);
  if (start_thread(watchdog)) return watchdog;
  sigaction(SIGALRM, &watchdog->before, NULL);
  memory_free(memory, watchdog);
  error_set(error, "no thread could be started to watch over scripts");
  return NULL;
}

void watchdog_free(Watchdog *watchdog) {
  if (!watchdog) return;
  watchdog_stop(watchdog);
  pthread_mutex_lock(&watchdog->lock);
  watchdog->is_ending = true;
  pthread_cond_signal(&watchdog->wake);
  pthread_mutex_unlock(&watchdog->lock);
  pthread_join(watchdog->thread, NULL);
  sigaction(SIGALRM, &watchdog->before, NULL);
  pthread_cond_destroy(&watchdog->wake);
  pthread_mutex_destroy(&watchdog->lock);
  memory_free(watchdog->memory, watchdog);
}

void watchdog_start(Watchdog *watchdog, double seconds) {
  atomic_store(&watchdog->start_ms, now_ms());
  atomic_store(&watchdog->limit_ms, (long long)(seconds * 1000));
}

void watchdog_stop(Watchdog *watchdog) {
  atomic_store(&watchdog->limit_ms, 0);
}
