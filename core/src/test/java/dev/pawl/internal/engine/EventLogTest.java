package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.InvalidJobException;
import dev.pawl.api.Job;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import dev.pawl.api.WorkerEvent;
import dev.pawl.codec.Jackson2Codec;
import dev.pawl.codec.JacksonCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the log says about errors of handlers, by a clock that the test moves. */
class EventLogTest {
    private final List<String> lines = new ArrayList<>();
    private long nanos;
    private final EventLog log = new EventLog(EventsTest.logger(lines, new boolean[] {false}), () -> nanos);

    private static Job job(long id, String kind) {
        return Job.builder(id, kind, "default")
                .attempt(1)
                .maxAttempts(20)
                .payload("{\"card\":\"4111\"}")
                .build();
    }

    private static String trace(String message) {
        return ErrorText.of(new IllegalStateException(message));
    }

    private void fails(long id, String kind, String error) {
        log.write(List.of(new WorkerEvent.Failed(job(id, kind), error, Duration.ofSeconds(7))));
    }

    private void isDiscarded(long id, String kind, String error) {
        log.write(List.of(new WorkerEvent.Discarded(job(id, kind), "all 20 attempts failed", error)));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void theFirstFailureOfACauseHasItsStackTrace() {
        fails(1, "greet", trace("no address"));
        assertThat(lines).singleElement().asString().satisfies(line -> {
            assertThat(line)
                    .startsWith("warn: job 1 (greet) failed on attempt 1 of 20, next attempt in 7 s:"
                            + " java.lang.IllegalStateException: no address\n\tat ")
                    .contains("EventLogTest.trace(EventLogTest.java:")
                    .doesNotContain("4111");
        });
    }

    @Test
    void furtherFailuresOfACauseWithinAMinuteShareOneLine() {
        fails(1, "greet", trace("order 1 is unknown"));
        for (int id = 2; id <= 8; id++) {
            pass(Duration.ofSeconds(5));
            fails(id, "greet", trace("order " + id + " is unknown"));
        }
        log.reportRepeats();
        assertThat(lines).hasSize(1);
        pass(Duration.ofSeconds(25));
        log.reportRepeats();
        log.reportRepeats();
        assertThat(lines)
                .hasSize(2)
                .element(1)
                .isEqualTo("warn: jobs of kind greet failed 7 times more within 35 s, for the same cause:"
                        + " java.lang.IllegalStateException: order 8 is unknown (the first: jobs 2, 3, 4, 5, 6)");
        fails(9, "greet", trace("order 9 is unknown"));
        assertThat(lines).hasSize(3).element(2).asString().contains("job 9", "\tat ");
    }

    /** The duty that reports repetitions may be late. */
    @Test
    void theNextFailureReportsTheCountedOnes() {
        fails(1, "greet", trace("down"));
        fails(2, "greet", trace("down"));
        pass(Duration.ofMinutes(1));
        fails(3, "greet", trace("down"));
        assertThat(lines)
                .hasSize(3)
                .element(1)
                .isEqualTo("warn: jobs of kind greet failed once more within 1 s, for the same cause:"
                        + " java.lang.IllegalStateException: down (job 2)");
        assertThat(lines.get(2)).contains("job 3", "\tat ");
    }

    @Test
    void aStopReportsAllThatWasCounted() {
        fails(1, "greet", trace("down"));
        fails(2, "greet", trace("down"));
        log.reportAllRepeats();
        assertThat(lines).hasSize(2);
        log.reportAllRepeats();
        assertThat(lines).hasSize(2);
    }

    @Test
    void otherKindsAndOtherCausesAreNotRepetitions() {
        fails(1, "greet", trace("down"));
        fails(2, "mail", trace("down"));
        fails(3, "greet", ErrorText.of(new ArithmeticException("down")));
        assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).contains("\n\tat "));
    }

    /** Operators look for lines of the level error, so the first discarded job has one, but no second stack trace. */
    @Test
    void aDiscardedJobHasALineButTheStackTraceIsThereOnce() {
        fails(1, "greet", trace("down"));
        isDiscarded(1, "greet", trace("down"));
        isDiscarded(2, "greet", trace("down"));
        log.reportAllRepeats();
        assertThat(lines.subList(1, lines.size()))
                .containsExactly(
                        "error: job 1 (greet) was discarded: all 20 attempts failed: java.lang.IllegalStateException: down",
                        "error: jobs of kind greet were discarded once more within 1 s, for the same cause:"
                                + " java.lang.IllegalStateException: down (job 2)");
    }

    @Test
    void aDiscardByTheHandlerHasItsReasonOnce() {
        log.write(List.of(new WorkerEvent.Discarded(job(1, "greet"), "no such customer", "no such customer")));
        assertThat(lines).containsExactly("error: job 1 (greet) was discarded: no such customer");
    }

    /** A flood of causes would otherwise fill the memory. */
    @Test
    void beyondTwoHundredCausesALineHasNoStackTrace() {
        for (int n = 0; n < 200; n++) {
            fails(n, "kind" + n, trace("down"));
        }
        fails(200, "another", trace("down"));
        fails(201, "another", trace("down"));
        assertThat(lines).hasSize(202);
        assertThat(lines.get(201)).endsWith("java.lang.IllegalStateException: down");
        pass(Duration.ofMinutes(1));
        fails(202, "another", trace("down"));
        assertThat(lines.get(202)).contains("\n\tat ");
    }

    enum Colour {
        RED
    }

    record Paint(Colour colour) {}

    /** The message of a codec quotes what it cannot read. */
    @Test
    void aPayloadThatCannotBeReadIsNotQuoted() {
        for (PayloadCodec codec : List.of(new JacksonCodec(), new Jackson2Codec())) {
            lines.clear();
            String error = "";
            try {
                codec.decode("{\"colour\":\"TOPSECRET\"}", TypeToken.of(Paint.class));
            } catch (InvalidJobException e) {
                error = ErrorText.of(e);
            }
            assertThat(error).as("what the database keeps").contains("TOPSECRET");
            fails(1, codec.getClass().getSimpleName(), error);
            assertThat(lines).singleElement().asString().satisfies(line -> {
                assertThat(line)
                        .doesNotContain("TOPSECRET")
                        .contains(
                                ": dev.pawl.api.InvalidJobException: the payload cannot be read; the job's error says why\n")
                        .contains("\nCaused by: ")
                        .contains("Codec.decode(");
            });
        }
    }

    @Test
    void otherFailuresOfUserCodeHaveTheirStackTraceOnce() {
        Job job = job(7, "greet");
        WorkerEvent event = new WorkerEvent.Completed(job);
        IllegalStateException error = new IllegalStateException("down");
        for (int n = 0; n < 3; n++) {
            log.listenerFailed(event, error);
            log.failedAfterCommit(job, error);
            log.cleanupFailed(job, error);
        }
        log.reportAllRepeats();
        assertThat(lines).hasSize(6);
        assertThat(lines.subList(0, 3)).allSatisfy(line -> assertThat(line).contains("down\n\tat "));
        assertThat(lines.get(0)).startsWith("warn: job 7 (greet): a listener of the worker failed on Completed: ");
        assertThat(lines.get(1))
                .startsWith("warn: job 7 (greet) was completed by its transaction; its handler failed afterwards, which"
                        + " changes nothing: ");
        assertThat(lines.get(2)).startsWith("error: job 7 (greet): cleanup after the handler failed: ");
        assertThat(lines.subList(3, 6)).allSatisfy(line -> assertThat(line).contains("2 times more within 1 s"));
    }
}
