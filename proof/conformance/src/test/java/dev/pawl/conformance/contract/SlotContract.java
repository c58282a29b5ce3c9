package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;
import static org.awaitility.Awaitility.await;

import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import dev.pawl.admin.SlotGap;
import dev.pawl.admin.SlotSeriesInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Slot;
import dev.pawl.api.SlotException;
import dev.pawl.conformance.Specified;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Slots, tested for every known fault of the package that they replace. */
@Specified
interface SlotContract extends Contract {
    Duration TTL = Duration.ofSeconds(60);

    /** 10, 20, 30 and so on. */
    static SlotSeries tens(Fixture fixture) {
        return fixture.queue.slots().series("tens").next(SlotContract::plusTen);
    }

    private static String plusTen(@Nullable String last) {
        return String.valueOf((last == null ? 0 : Integer.parseInt(last)) + 10);
    }

    private static List<String> reserve(SlotSeries series, int count) {
        return IntStream.range(0, count).mapToObj(i -> series.reserve().value()).toList();
    }

    @Test
    default void reservedSlotsAreSkipped(Fixture fixture) {
        assertThat(reserve(tens(fixture), 7)).containsExactly("10", "20", "30", "40", "50", "60", "70");
    }

    @Test
    default void aClearedSlotIsIssuedAgainFirst(Fixture fixture) {
        Slot first = tens(fixture).reserve();
        assertThat(first.value()).isEqualTo("10");
        assertThat(first.clear()).isTrue();
        assertThat(first.clear()).isFalse();
        assertThat(reserve(tens(fixture), 3)).containsExactly("10", "20", "30");
    }

    @Test
    default void aSlotWhoseUseWasRolledBackIsGivenBack(Fixture fixture) throws Exception {
        Slot slot = tens(fixture).reserve();
        try (Connection connection = fixture.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            slot.use(connection);
            assertThat(slot.clear()).as("while that transaction is open").isFalse();
            connection.rollback();
        }
        assertThat(slot.clear()).isTrue();
        assertThat(tens(fixture).reserve().value()).isEqualTo("10");
    }

    /** A slot whose use was rolled back counts as unused: its reservation is extended, and it is used in the end. */
    @Test
    default void aSlotWhoseUseWasRolledBackIsKeptAndUsed(Fixture fixture) throws Exception {
        String value = tens(fixture).ttl(Duration.ofSeconds(1)).with(slot -> {
            useInVain(fixture, slot);
            letReservationsRunOut(fixture);
            await().atMost(Fixture.SOON).until(() -> !lasts(fixture, "tens").isZero());
            return slot.value();
        });
        assertThat(value).isEqualTo("10");
        assertThat(tens(fixture).lastUsed()).contains("10");
    }

    @Test
    default void aSlotWhoseUseWasRolledBackIsUsedWhenItsJobCompletes(Fixture fixture) throws Exception {
        long id = fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .handle(
                        Fixture.GREET,
                        tens(fixture)
                                .around((name, run) ->
                                        useInVain(fixture, run.slot().orElseThrow())))
                .start()) {
            fixture.awaitState(id, JobState.COMPLETED);
            assertThat(worker.isAlive()).isTrue();
        }
        assertThat(tens(fixture).lastUsed()).contains("10");
    }

    private static void useInVain(Fixture fixture, Slot slot) throws SQLException {
        try (Connection connection = fixture.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            slot.use(connection);
            connection.rollback();
        }
    }

    @Test
    default void withGapsAClearedSlotIsGone(Fixture fixture) {
        SlotSeries gaps = tens(fixture).gapless(false);
        gaps.reserve().clear();
        assertThat(reserve(gaps, 4)).containsExactly("20", "30", "40", "50");
    }

    @Test
    default void usedSlotsGoForward(Fixture fixture) {
        for (String expected : List.of("10", "20", "30", "40", "50")) {
            Slot slot = tens(fixture).reserve();
            assertThat(slot.value()).isEqualTo(expected);
            slot.use();
            assertThat(tens(fixture).lastUsed()).contains(expected);
        }
    }

    /** The package that slots replace issues 20 twice after the calls reserve, reserve, release, release, reserve. */
    @Test
    default void overlappingReservationsDoNotRepeatASlot(Fixture fixture) {
        Slot a = tens(fixture).reserve();
        Slot b = tens(fixture).reserve();
        a.use();
        b.use();
        assertThat(tens(fixture).reserve().value()).isEqualTo("30");
        assertThat(tens(fixture).lastUsed()).contains("20");
    }

    /** The highest position counts, not the latest time. */
    @Test
    default void aLateUseDoesNotTurnTheSeriesBack(Fixture fixture) {
        Slot a = tens(fixture).reserve();
        Slot b = tens(fixture).reserve();
        b.use();
        a.use();
        assertThat(tens(fixture).lastUsed()).contains("20");
        assertThat(tens(fixture).reserve().value()).isEqualTo("30");
    }

    @Test
    default void theStartIsComputedOnce(Fixture fixture) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        SlotSeries series = tens(fixture).startFrom(() -> {
            asked.incrementAndGet();
            return "70";
        });
        Set<String> seen = ConcurrentHashMap.newKeySet();
        inParallel(8, () -> seen.add(series.reserve().value()));
        assertThat(seen).containsExactlyInAnyOrder("80", "90", "100", "110", "120", "130", "140", "150");
        assertThat(asked).hasValue(1);
    }

    /** If the query for the start returns null, the series begins with its first slot, and does not query again. */
    @Test
    default void anUnknownStartIsComputedOnceToo(Fixture fixture) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        SlotSeries series = tens(fixture).startFrom(() -> {
            asked.incrementAndGet();
            return null;
        });
        assertThat(series.reserve().value()).isEqualTo("10");
        assertThat(series.reserve().value()).isEqualTo("20");
        assertThat(asked).hasValue(1);
    }

    @Test
    default void concurrentReservationsNeverReturnTheSameSlot(Fixture fixture) throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger twice = new AtomicInteger();
        inParallel(6, () -> {
            for (int i = 0; i < 50; i++) {
                if (!seen.add(tens(fixture).reserve().value())) {
                    twice.incrementAndGet();
                }
            }
        });
        assertThat(twice).hasValue(0);
        assertThat(seen).hasSize(300);
    }

    private static void inParallel(int threads, Runnable work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(work));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /** The package that slots replace lets a former owner delete the reservation of the new owner. */
    @Test
    default void aLateOwnerCannotTouchASlotThatAnotherHas(Fixture fixture) throws Exception {
        Slot late = tens(fixture).reserve();
        letReservationsRunOut(fixture);
        Slot next = tens(fixture).reserve();
        assertThat(next.value()).isEqualTo("10");
        assertThat(late.clear()).isFalse();
        assertThat(late.extend(TTL)).isFalse();
        assertThatThrownBy(late::use).isInstanceOf(SlotException.class).hasMessageContaining("another owner");
        next.use();
        assertThat(tens(fixture).reserve().value()).isEqualTo("20");
    }

    /** No other owner has taken the slot, so the late one may still use it. */
    @Test
    default void aLateOwnerMayUseASlotThatIsStillFree(Fixture fixture) throws Exception {
        Slot late = tens(fixture).reserve();
        letReservationsRunOut(fixture);
        late.use();
        assertThat(tens(fixture).reserve().value()).isEqualTo("20");
    }

    private static void letReservationsRunOut(Fixture fixture) throws Exception {
        fixture.execute("UPDATE pawl_slot SET expires_at = reserved_at WHERE state = 0");
    }

    @Test
    default void anExtendedSlotIsKept(Fixture fixture) throws Exception {
        Slot slot = tens(fixture).ttl(Duration.ofSeconds(1)).reserve();
        letReservationsRunOut(fixture);
        assertThat(slot.extend(TTL)).isTrue();
        assertThat(tens(fixture).reserve().value()).isEqualTo("20");
    }

    /** If an extension and another reservation compete for an expired slot, only one of them succeeds, and extend reports which. */
    @Test
    default void anExtensionKeepsTheSlot(Fixture fixture) throws Exception {
        int lied = 0;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 60; i++) {
                Slot slot = tens(fixture).reserve();
                letReservationsRunOut(fixture);
                Future<Boolean> extended = pool.submit(() -> slot.extend(TTL));
                Future<Slot> other = pool.submit(() -> tens(fixture).reserve());
                if (extended.get() && other.get().value().equals(slot.value())) {
                    lied++;
                }
                fixture.execute("DELETE FROM pawl_slot");
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(lied).isZero();
    }

    @Test
    default void seriesAreIndependent(Fixture fixture) {
        assertThat(tens(fixture).reserve().value()).isEqualTo("10");
        SlotSeries other = fixture.queue.slots().series("other");
        assertThat(reserve(other, 2)).containsExactly("1", "2");
        assertThat(tens(fixture).reserve().value()).isEqualTo("20");
    }

    @Test
    default void aNextThatDoesNotAdvanceIsRefused(Fixture fixture) {
        SlotSeries stuck = tens(fixture).next(last -> "7");
        stuck.reserve();
        assertThatThrownBy(stuck::reserve).isInstanceOf(SlotException.class).hasMessageContaining("must move forward");
        SlotSeries nothing = tens(fixture).next(last -> null);
        assertThatThrownBy(nothing::reserve).isInstanceOf(SlotException.class).hasMessageContaining("null");
        SlotSeries circle = fixture.queue
                .slots()
                .series("circle")
                .maxProbes(50)
                .next(last -> last == null || last.equals("b") ? "a" : "b");
        reserve(circle, 2);
        assertThatThrownBy(circle::reserve)
                .isInstanceOf(SlotException.class)
                .hasMessageContaining("50")
                .hasMessageContaining("maxProbes");
        assertThatThrownBy(() -> fixture.queue.slots().series("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tens(fixture).ttl(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void oldRowsOfUsedSlotsAreTrimmed(Fixture fixture) throws Exception {
        SlotSeries numbers = fixture.queue.slots().series("numbers");
        numbers.reserve().use();
        fixture.execute("UPDATE pawl_slot_series SET last_ordinal = 5000 WHERE name = 'numbers'");
        assertThatThrownBy(() -> numbers.trim(10)).isInstanceOf(IllegalArgumentException.class);
        assertThat(numbers.trim(1000)).isEqualTo(1);
        assertThat(numbers.reserve().value()).isEqualTo("2");
    }

    /** The order holds whether slots were returned or expired. */
    @Test
    default void theSmallestFreeSlotIsIssuedFirst(Fixture fixture) throws Exception {
        List<Slot> slots =
                IntStream.range(0, 3).mapToObj(i -> tens(fixture).reserve()).toList();
        assertThat(slots.get(1).ordinal()).isEqualTo(2);
        assertThat(slots.get(1).clear()).isTrue();
        letReservationsRunOut(fixture);
        assertThat(reserve(tens(fixture), 4)).containsExactly("10", "20", "30", "40");
    }

    @Test
    default void aSlotHasUpToTwoHundredCharacters(Fixture fixture) {
        String longest = "x".repeat(200);
        SlotSeries series = fixture.queue.slots().series("long");
        assertThat(series.next(last -> longest).reserve().value()).isEqualTo(longest);
        assertThatThrownBy(() -> series.next(last -> "y".repeat(201)).reserve())
                .isInstanceOf(SlotException.class)
                .hasMessageContaining("201 characters");
    }

    @Test
    default void nextIsCalledUpToMaxProbesTimes(Fixture fixture) {
        SlotSeries series = fixture.queue.slots().series("taken").startFrom(() -> "0");
        reserve(series, 1);
        AtomicInteger asked = new AtomicInteger();
        SlotSeries probing = series.maxProbes(3).next(last -> {
            asked.incrementAndGet();
            return "1".equals(last) ? "0" : "1";
        });
        fixture.queue.slots().series("taken").reserve(); // 0 was the start and is not issued; 1 and 2 are
        assertThat(probing.reserve().value()).as("the second is free").isEqualTo("0");
        assertThat(asked).hasValue(2);
        asked.set(0);
        assertThatThrownBy(probing::reserve).isInstanceOf(SlotException.class);
        assertThat(asked).hasValue(3);
    }

    /**
     * Runs a handler with a slot. Returns the last used value of the series twice: when the handler returns, and after its job has
     * completed.
     */
    private static List<String> used(Fixture fixture, WithSlot handler) throws Exception {
        List<String> used = Collections.synchronizedList(new ArrayList<>());
        fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(Fixture.GREET, tens(fixture).ttl(Duration.ofSeconds(1)).around((name, run) -> {
                    handler.run(run);
                    used.add(tens(fixture).lastUsed().orElse("none"));
                }))
                .start()) {
            await().until(() -> worker.stats().completed() == 1);
            assertThat(worker.stats().failed()).isZero();
        }
        used.add(tens(fixture).lastUsed().orElse("none"));
        return used;
    }

    interface WithSlot {
        void run(JobRun run) throws Exception;
    }

    /** The slot must be used in the same commit, because the process may die right after it. */
    @Test
    default void aSlotIsUsedByTheCommitOfTheBusinessWrite(Fixture fixture) throws Exception {
        assertThat(used(fixture, run -> run.transaction(connection -> {}))).containsExactly("10", "10");
    }

    @Test
    default void aHandlerMayUseItsSlotItself(Fixture fixture) throws Exception {
        assertThat(used(
                        fixture,
                        run -> run.transaction(
                                connection -> run.slot().orElseThrow().use(connection))))
                .containsExactly("10", "10");
    }

    @Test
    default void aSlotWhoseUseWasRolledBackIsUsedWhenTheHandlerSucceeds(Fixture fixture) throws Exception {
        assertThat(used(
                        fixture,
                        run -> assertThatThrownBy(() -> run.transaction(connection -> {
                                    run.slot().orElseThrow().use(connection);
                                    throw new IllegalStateException("after the use");
                                }))
                                .isInstanceOf(IllegalStateException.class)))
                .containsExactly("none", "10");
    }

    @Test
    default void aHeartbeatExtendsTheReservationDuringTheRun(Fixture fixture) throws Exception {
        assertThat(used(fixture, run -> {
                    letReservationsRunOut(fixture);
                    await().until(() ->
                            fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE expires_at > reserved_at") == 1);
                }))
                .containsExactly("none", "10");
    }

    @Test
    default void valuesMayBeNumbers(Fixture fixture) {
        SlotSeries evens = fixture.queue.slots().series("evens").numbers(2, 2);
        assertThat(evens.reserve().number()).isEqualTo(2);
        assertThat(evens.reserve().number()).isEqualTo(4);
        SlotSeries goesOn =
                fixture.queue.slots().series("goes-on").numbers(1, 1).startFrom(() -> "99");
        assertThat(goesOn.reserve().number()).isEqualTo(100);
        assertThatThrownBy(() -> evens.numbers(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void aReservationLastsAsLongAsItsSeriesSaysOrUntilAMoment(Fixture fixture) throws Exception {
        fixture.queue
                .slots()
                .defaultTtl(Duration.ofMinutes(20))
                .series("default")
                .reserve();
        tens(fixture).until(Instant.EPOCH).reserve(); // long ago: kept for a second, which is the minimum
        fixture.queue
                .slots()
                .series("later")
                .until(Instant.parse("9999-01-01T00:00:00Z")) // kept for a day, which is the maximum
                .reserve();
        assertThat(lasts(fixture, "default")).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(21));
        assertThat(lasts(fixture, "tens")).isBetween(Duration.ofMillis(900), Duration.ofMillis(1100));
        assertThat(lasts(fixture, "later")).isBetween(Duration.ofHours(23), Duration.ofHours(25));
    }

    private static Duration lasts(Fixture fixture, String series) throws Exception {
        return fixture.database.autocommit(connection -> {
            try (var statement = connection.prepareStatement(fixture.database
                            .dialect()
                            .sql("SELECT reserved_at, expires_at FROM pawl_slot WHERE series = '" + series + "'"));
                    var row = statement.executeQuery()) {
                row.next();
                return Duration.between(
                        fixture.database.dialect().moment(row, "reserved_at"),
                        fixture.database.dialect().moment(row, "expires_at"));
            }
        });
    }

    @Test
    default void aSlotMayBeUsedWithoutAJob(Fixture fixture) throws Exception {
        assertThat(tens(fixture).<String>with(Slot::value)).isEqualTo("10");
        assertThatThrownBy(() -> tens(fixture).with(slot -> {
                    throw new IllegalStateException("with " + slot.value());
                }))
                .hasMessage("with 20");
        assertThat(tens(fixture).<Boolean>with(Slot::clear)).isTrue();
        assertThat(tens(fixture).<String>with(Slot::value))
                .as("it was given back, twice")
                .isEqualTo("20");
        assertThat(tens(fixture).lastUsed()).contains("20");
    }

    @Test
    default void operatorsListSeriesAndGapsAndFreeStuckSlots(Fixture fixture) throws Exception {
        SlotSeries gaps = tens(fixture).gapless(false);
        gaps.reserve().use();
        Slot cleared = gaps.reserve();
        Slot stuck = gaps.reserve();
        gaps.reserve().use();
        gaps.reserve();
        cleared.clear();
        assertThat(fixture.queue.slots().list())
                .singleElement()
                .isEqualTo(new SlotSeriesInfo("tens", "50", 5, 2, 2, 0, 1));
        assertThat(fixture.queue.slots().gaps("tens", 10))
                .extracting(SlotGap::value, SlotGap::state)
                .containsExactly(tuple("20", SlotGap.State.CLEARED), tuple("30", SlotGap.State.RESERVED));
        assertThat(fixture.queue.slots().free("tens", stuck.value())).isTrue();
        assertThat(fixture.queue.slots().free("tens", stuck.value())).isFalse();
        assertThatThrownBy(stuck::use).isInstanceOf(SlotException.class);
        assertThat(tens(fixture).reserve().value()).as("gapless from now on").isEqualTo("20");
    }

    @Test
    default void aFlushedSeriesBeginsAgain(Fixture fixture) {
        AtomicInteger asked = new AtomicInteger();
        SlotSeries series = tens(fixture).startFrom(() -> String.valueOf(100 * asked.incrementAndGet()));
        Slot lost = series.reserve();
        assertThat(lost.value()).isEqualTo("110");
        assertThat(fixture.queue.slots().flush("tens")).isTrue();
        assertThat(fixture.queue.slots().flush("tens")).isFalse();
        assertThat(series.reserve().value()).isEqualTo("210");
        assertThatThrownBy(lost::use).isInstanceOf(SlotException.class);
    }

    /** In a series with gaps, returned and expired slots are not used again; they are deleted gradually. */
    @Test
    default void leftoversOfASeriesWithGapsAreDeletedGradually(Fixture fixture) throws Exception {
        SlotSeries gaps = tens(fixture).gapless(false);
        for (int i = 0; i < 40; i++) {
            gaps.reserve().clear();
        }
        letReservationsBeOld(fixture);
        for (int i = 40; i < 60; i++) {
            gaps.reserve().use();
        }
        assertThat(fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 2"))
                .isZero();
        Slot late = gaps.reserve();
        letReservationsBeOld(fixture);
        fixture.execute("UPDATE pawl_slot_series SET last_ordinal = 5000 WHERE name = 'tens'");
        assertThat(gaps.gapless(true).trim(1000)).as("used ones").isEqualTo(20);
        assertThat(gaps.trim(1000)).as("what ran out").isEqualTo(1);
        assertThat(late.clear()).isFalse();
    }

    /** Expired slots are deleted on every fiftieth reservation of a series with gaps, but not on the day when they expired. */
    @Test
    default void expiredSlotsStayForALateOwnerAndAreDeletedLater(Fixture fixture) throws Exception {
        SlotSeries gaps = tens(fixture).gapless(false);
        Slot late = gaps.reserve();
        letReservationsRunOut(fixture);
        reap(fixture, gaps);
        late.use();
        Slot old = gaps.reserve();
        letReservationsBeOld(fixture);
        reap(fixture, gaps);
        assertThatThrownBy(old::use).isInstanceOf(SlotException.class);
    }

    private static void reap(Fixture fixture, SlotSeries gaps) throws Exception {
        fixture.execute("UPDATE pawl_slot_series SET last_ordinal = last_ordinal + 49 - last_ordinal % 50");
        gaps.reserve();
    }

    @Test
    default void trimLeavesWhatIsReserved(Fixture fixture) throws Exception {
        SlotSeries gaps = tens(fixture).gapless(false);
        Slot live = gaps.reserve();
        fixture.execute("UPDATE pawl_slot_series SET last_ordinal = 5000 WHERE name = 'tens'");
        assertThat(gaps.trim(1000)).isZero();
        assertThat(gaps.gapless(true).trim(1000)).isZero();
        live.use();
    }

    /**
     * The end of the outer reservation is fixed, and a heartbeat must not move it. The extended reservation of the inner series shows that
     * heartbeats ran.
     */
    @Test
    default void aReservationUntilAMomentIsNotExtended(Fixture fixture) throws Exception {
        List<Duration> lasts = Collections.synchronizedList(new ArrayList<>());
        SlotSeries numbers = fixture.queue.slots().series("numbers").ttl(Duration.ofSeconds(1));
        fixture.enqueue();
        try (Worker worker = fixture.newWorker()
                .handle(Fixture.GREET, tens(fixture).until(Instant.EPOCH).around(numbers.around((name, run) -> {
                    await().atMost(Fixture.SOON)
                            .until(() -> lasts(fixture, "numbers").compareTo(Duration.ofMillis(1500)) > 0);
                    lasts.add(lasts(fixture, "tens"));
                })))
                .start()) {
            await().atMost(Fixture.SOON).until(() -> worker.stats().completed() == 1);
        }
        assertThat(lasts).singleElement(as(DURATION)).isLessThan(Duration.ofMillis(1100));
    }

    /** No worker renews the reservation of a finished job. */
    @Test
    default void aHeldReservationRunsOutWhenItsRunIsOver(Fixture fixture) throws Exception {
        long id = fixture.enqueue(EnqueueOptions.DEFAULTS.maxAttempts(1));
        try (Worker worker = fixture.newWorker()
                .handle(
                        Fixture.GREET,
                        tens(fixture)
                                .ttl(Duration.ofSeconds(1))
                                .holdOnFailure(true)
                                .around((name, run) -> {
                                    throw new IllegalStateException("it is held");
                                }))
                .start()) {
            fixture.awaitState(id, JobState.DISCARDED);
            await().atMost(Fixture.SOON)
                    .until(() -> fixture.longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 0 AND expires_at <= "
                                    + fixture.database.dialect().now())
                            == 1);
            assertThat(worker.isAlive()).isTrue();
        }
    }

    private static void letReservationsBeOld(Fixture fixture) throws Exception {
        String old = fixture.database
                .dialect()
                .sql("UPDATE pawl_slot SET expires_at = "
                        + fixture.database.dialect().nowPlusMicros() + " WHERE state <> 1");
        fixture.database.transaction(connection -> {
            try (var statement = connection.prepareStatement(old)) {
                statement.setLong(1, -Duration.ofDays(2).toNanos() / 1000);
                return statement.executeUpdate();
            }
        });
    }
}
