package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import dev.pawl.api.WorkerEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Interceptors, driven by a worker over a store in memory. */
class InterceptedTest extends EngineFixture {
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private RunInterceptor named(String name) {
        return (run, handler) -> {
            told.add(name + " before");
            try {
                return handler.proceed();
            } finally {
                told.add(name + " after");
            }
        };
    }

    private void run(Work work) throws InterruptedException {
        store.add(1, 20);
        Engine engine = start(1, work);
        await(() -> store.count(JobState.AVAILABLE) == 0 && store.count(JobState.RUNNING) == 0);
        engine.stop(Duration.ofSeconds(5));
    }

    @Test
    void theFirstIsTheOutermostAndAllAreInTheHandlersThread() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        interceptors.add((run, handler) -> {
            thread.set(Thread.currentThread());
            told.add("job " + run.job().id() + ", attempt " + run.attempt());
            return handler.proceed();
        });
        interceptors.add(named("outer"));
        interceptors.add(named("inner"));
        run((payload, run) -> {
            told.add("handler");
            assertThat(Thread.currentThread()).isSameAs(thread.get());
            return Outcome.completed();
        });
        assertThat(told)
                .containsExactly(
                        "job 1, attempt 1", "outer before", "inner before", "handler", "inner after", "outer after");
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    @Test
    void anExceptionOfTheHandlerPassesAllInterceptorsAndFailsTheAttempt() throws Exception {
        interceptors.add(named("outer"));
        interceptors.add(named("inner"));
        Queue<String> errors = new ConcurrentLinkedQueue<>();
        listeners.add(event -> {
            if (event instanceof WorkerEvent.Failed failed) {
                errors.add(failed.error().lines().findFirst().orElse(""));
            }
        });
        run((payload, run) -> {
            if (run.attempt() == 1) {
                throw new IOException("no disk");
            }
            return Outcome.completed();
        });
        assertThat(told)
                .containsExactly(
                        "outer before",
                        "inner before",
                        "inner after",
                        "outer after",
                        "outer before",
                        "inner before",
                        "inner after",
                        "outer after");
        await(() -> !errors.isEmpty());
        assertThat(errors).containsExactly("java.io.IOException: no disk");
    }

    @Test
    void anInterceptorThatFailsOrReturnsAnOutcomeSkipsTheHandler() throws Exception {
        interceptors.add((run, handler) -> {
            if (run.attempt() == 1) {
                throw new IOException("no licence");
            }
            return run.attempt() == 2 ? Outcome.retryAfter(Duration.ZERO, "not yet") : Outcome.discard("never");
        });
        run((payload, run) -> Outcome.completed());
        assertThat(begun).isEmpty();
        assertThat(store.count(JobState.DISCARDED)).isEqualTo(1);
    }

    @Test
    void anInterceptorMayReturnAnotherOutcomeThanTheHandler() throws Exception {
        interceptors.add((run, handler) -> {
            try {
                return handler.proceed();
            } catch (IOException gone) {
                return Outcome.cancel("gone");
            }
        });
        run((payload, run) -> {
            throw new IOException("404");
        });
        assertThat(store.count(JobState.CANCELLED)).isEqualTo(1);
    }

    @Test
    void theTimeoutInterruptsAnInterceptorAsItDoesAHandler() throws Exception {
        options = HandlerOptions.DEFAULTS.timeout(Duration.ofMillis(50));
        interceptors.add((run, handler) -> {
            if (run.attempt() == 1) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    told.add("interrupted");
                    throw e;
                }
            }
            return handler.proceed();
        });
        run((payload, run) -> Outcome.completed());
        assertThat(told).containsExactly("interrupted");
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    @Test
    void anAttemptRunsItsHandlerOnceAndInItsOwnThread() throws Exception {
        AtomicReference<RunInterceptor.Handling> kept = new AtomicReference<>();
        interceptors.add((run, handler) -> {
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> {
                                try {
                                    return handler.proceed();
                                } catch (Exception e) {
                                    throw new IllegalArgumentException(e);
                                }
                            })
                            .get())
                    .isInstanceOf(ExecutionException.class)
                    .rootCause()
                    .hasMessageContaining("another thread");
            Outcome outcome = handler.proceed();
            assertThatThrownBy(handler::proceed)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a second time");
            assertThatThrownBy(() -> Objects.requireNonNull(kept.get()).proceed())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("after the interceptor had returned");
            told.add("all was refused");
            return outcome;
        });
        interceptors.add((run, handler) -> {
            kept.set(handler);
            return Outcome.completed();
        });
        run((payload, run) -> Outcome.completed());
        assertThat(begun).isEmpty();
        assertThat(told).containsExactly("all was refused");
        assertThat(store.count(JobState.COMPLETED)).isEqualTo(1);
    }

    @Test
    void handlersWithoutInterceptorsAreUnchangedAndRemoteKindsHaveNone() {
        Handlers handlers = new Handlers(new NoCodec());
        handlers.encoded("here", (payload, run) -> Outcome.completed(), HandlerOptions.DEFAULTS);
        handlers.remote("there", () -> true, (payload, run) -> Optional.empty(), HandlerOptions.DEFAULTS);
        assertThat(handlers.intercepted(List.of()).of("here")).isSameAs(handlers.of("here"));
        Handlers intercepted = handlers.intercepted(List.of(named("one")));
        assertThat(intercepted.of("here")).isNotSameAs(handlers.of("here"));
        assertThat(intercepted.of("there")).isSameAs(handlers.of("there"));
        assertThat(intercepted.kinds()).containsExactly("here", "there");
    }
}
