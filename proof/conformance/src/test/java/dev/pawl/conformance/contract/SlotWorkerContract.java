package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobState;
import dev.pawl.api.Outcome;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Slot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Slots that a worker reserves and uses around a handler. */
interface SlotWorkerContract extends Contract {
    @Test
    default void aSlotIsUsedWithTheBusinessWriteOrNotAtAll(Fixture fixture) throws Exception {
        fixture.execute("CREATE TABLE pawl_ticket (code varchar(20) PRIMARY KEY)");
        String insert = fixture.database.dialect().sql("INSERT INTO pawl_ticket VALUES (?)");
        int tickets = 60;
        fixture.queue.enqueueAll(
                Fixture.GREET,
                IntStream.range(0, tickets).mapToObj(i -> "n" + i).toList());
        try (Worker worker = fixture.newWorker()
                .concurrency(4)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(
                        Fixture.GREET,
                        SlotContract.tens(fixture)
                                .around((name, run) -> run.transaction(connection -> {
                                    try (var statement = connection.prepareStatement(insert)) {
                                        statement.setString(
                                                1, run.slot().orElseThrow().value());
                                        statement.executeUpdate();
                                    }
                                    if (run.attempt() == 1 && run.job().id() % 10 == 0) {
                                        throw new IllegalStateException("after the write");
                                    }
                                })))
                .start()) {
            await().atMost(Duration.ofSeconds(40)).until(() -> worker.stats().completed() == tickets);
        }
        assertThat(fixture.count("pawl_ticket")).isEqualTo(tickets);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 1"))
                .isEqualTo(tickets);
        assertThat(fixture.longOf("SELECT MAX(ordinal) FROM pawl_slot WHERE state = 1"))
                .as("no value is left out")
                .isEqualTo(tickets);
        assertThat(SlotContract.tens(fixture).lastUsed()).contains(String.valueOf(10 * tickets));
    }

    @Test
    default void aSlotIsUsedWhenItsHandlerReturnsAndClearedWhenItFails(Fixture fixture) throws Exception {
        List<String> slots = Collections.synchronizedList(new ArrayList<>());
        fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(Fixture.GREET, SlotContract.tens(fixture).around((name, run) -> {
                    slots.add(run.slot().orElseThrow().value());
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("first");
                    }
                }))
                .start()) {
            await().until(() -> worker.stats().completed() == 1);
        }
        assertThat(slots).containsExactly("10", "10");
        assertThat(SlotContract.tens(fixture).lastUsed()).contains("10");
    }

    @Test
    default void aSlotHeldOnFailureIsGivenToTheRetry(Fixture fixture) throws Exception {
        List<String> slots = Collections.synchronizedList(new ArrayList<>());
        fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(attempt -> {
                    slots.add(SlotContract.tens(fixture)
                            .reserve()
                            .value()); // as another caller, while the first slot is held
                    return Duration.ofMillis(10);
                })
                .handle(
                        Fixture.GREET,
                        SlotContract.tens(fixture).holdOnFailure(true).around((name, run) -> {
                            slots.add(run.slot().orElseThrow().value());
                            if (run.attempt() == 1) {
                                throw new IllegalStateException("first");
                            }
                        }))
                .start()) {
            await().until(() -> worker.stats().completed() == 1);
        }
        assertThat(slots).containsExactly("10", "20", "10");
    }

    /** The run's own transaction locks the slot's row, and must end before any other transaction waits for it. */
    @Test
    default void aHandlerMayFailAfterItsTransaction(Fixture fixture) throws Exception {
        List<String> slots = Collections.synchronizedList(new ArrayList<>());
        long id = fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(Fixture.GREET, SlotContract.tens(fixture).around((name, run) -> {
                    slots.add(run.slot().orElseThrow().value());
                    run.transaction(connection -> {});
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("after the transaction");
                    }
                }))
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(slots).as("the same, should there be a second attempt").containsOnly("10");
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 1"))
                .isEqualTo(1);
    }

    @Test
    default void aHandlerMayGiveItsSlotBackAndReturn(Fixture fixture) throws Exception {
        assumeFalse(
                fixture.holdsTheOnlyWriteLock(),
                "on SQLite nobody can write beside the transaction around a handler: throw, or return another outcome");
        long without = fixture.enqueue();
        long inTransaction = fixture.enqueue();
        List<Boolean> cleared = Collections.synchronizedList(new ArrayList<>());
        try (Worker worker = fixture.newWorker()
                .handle(Fixture.GREET, SlotContract.tens(fixture).around((name, run) -> {
                    cleared.add(run.slot().orElseThrow().clear());
                    if (run.job().id() == inTransaction) {
                        run.transaction(connection -> {});
                    }
                }))
                .concurrency(1)
                .start()) {
            fixture.awaitState(without, JobState.COMPLETED);
            fixture.awaitState(inTransaction, JobState.COMPLETED);
            assertThat(worker.stats().failed()).isZero();
        }
        assertThat(cleared).containsExactly(true, true);
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 2"))
                .isEqualTo(1);
    }

    /** Only a completed run uses its slot, regardless of the other parts of the outcome. */
    @Test
    default void aSlotIsClearedByEveryOutcomeButCompleted(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        List<String> slots = Collections.synchronizedList(new ArrayList<>());
        try (Worker worker = fixture.newWorker()
                .handle(
                        Fixture.GREET,
                        Handlers.completing(SlotContract.tens(fixture).aroundWithOutcome((name, run) -> {
                            slots.add(run.slot("tens").orElseThrow().value());
                            return slots.size() == 1
                                    ? Outcome.snoozeFor(Duration.ZERO)
                                    : slots.size() == 2
                                            ? Outcome.retryAfter(Duration.ZERO, "again")
                                            : Outcome.cancel("no");
                        })))
                .start()) {
            fixture.awaitState(id, JobState.CANCELLED);
            await().until(() -> worker.stats().running() == 0);
        }
        assertThat(slots).containsExactly("10", "10", "10");
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 2"))
                .isEqualTo(1);
    }

    @Test
    default void seriesMayBeNestedAndTheSameTwice(Fixture fixture) throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        SlotSeries tens = SlotContract.tens(fixture);
        SlotSeries numbers = fixture.queue.slots().series("numbers");
        long id = fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(Fixture.GREET, tens.around(numbers.around(tens.around((name, run) -> {
                    seen.add(String.join(
                            ",", run.slots().stream().map(Slot::value).toList()));
                    assertThat(run.slot("numbers").orElseThrow().value()).isEqualTo("1");
                    assertThat(run.slot("tens").orElseThrow().value()).isEqualTo("20");
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("first");
                    }
                }))))
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(seen).containsExactly("10,1,20", "10,1,20");
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 1"))
                .isEqualTo(3);
    }

    @Test
    default void allNestedSlotsAreGivenBackWhenTheRunFails(Fixture fixture) throws Exception {
        SlotSeries numbers = fixture.queue.slots().series("numbers");
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = fixture.newWorker()
                .handle(Fixture.GREET, SlotContract.tens(fixture).around(numbers.around((name, run) -> {
                    throw new IllegalStateException("only");
                })))
                .start()) {
            fixture.awaitState(id, JobState.DISCARDED);
            assertThat(worker.stats().completed()).isZero();
        }
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 2"))
                .isEqualTo(2);
    }

    /** The worker does not know the inner handler, and so has not reserved a slot for it. The inner handler reserves its slot itself. */
    @Test
    default void aHandlerWithASlotMayBeCalledByAnother(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        JobHandler<String> own = SlotContract.tens(fixture).around((name, run) -> {
            assertThat(run.slot().orElseThrow().value()).isEqualTo("10");
            if (run.isLastAttempt()) {
                throw new IllegalStateException("only");
            }
        });
        long failing = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = fixture.newWorker()
                .handle(Fixture.GREET, (name, run) -> {
                    own.handle(name, run);
                })
                .start()) {
            fixture.awaitState(failing, JobState.DISCARDED);
            assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 2"))
                    .isEqualTo(1);
            fixture.enqueue();
            await().until(() -> worker.stats().completed() == 1);
        }
        assertThat(SlotContract.tens(fixture).lastUsed()).contains("10");
    }

    @Test
    default void aReservationIsExtendedWhileWorkWithoutAJobGoesOn(Fixture fixture) throws Exception {
        String value = SlotContract.tens(fixture).ttl(Duration.ofSeconds(1)).with(slot -> {
            await().atMost(Fixture.SOON)
                    .until(() -> fixture.longOf(
                                    "SELECT COUNT(*) FROM pawl_slot WHERE state = 0 AND " + extendedTwice(fixture))
                            == 1);
            return slot.value();
        });
        assertThat(SlotContract.tens(fixture).lastUsed()).contains(value);
    }

    /** The reservation is shorter than the run, and no other handler gets the slot. */
    @Test
    default void aReservationIsExtendedWhileItsHandlerRuns(Fixture fixture) throws Exception {
        fixture.assumeNoTransactionAroundHandlers();
        long id = fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .handle(
                        Fixture.GREET,
                        SlotContract.tens(fixture)
                                .ttl(Duration.ofSeconds(1))
                                .around((name, run) -> await().atMost(Fixture.SOON)
                                        .until(() ->
                                                fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 0 AND "
                                                                + extendedTwice(fixture))
                                                        == 1)))
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            assertThat(worker.stats().failed()).isZero();
        }
    }

    /** {@return a condition for a slot whose reservation ends more than 1.5 s after it began} */
    private static String extendedTwice(Fixture fixture) {
        return switch (fixture.product) {
            case POSTGRESQL -> "expires_at > reserved_at + interval '1500 ms'";
            case SQLITE -> "expires_at > reserved_at + 1500000";
            default -> "expires_at > DATE_ADD(reserved_at, INTERVAL 1500000 MICROSECOND)";
        };
    }
}
