package dev.pawl.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.InvalidJobException;
import dev.pawl.RetryPolicy;
import dev.pawl.Slot;
import dev.pawl.SlotException;
import dev.pawl.SlotSeries;
import dev.pawl.Worker;
import java.time.Duration;
import java.util.ArrayList;
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

/** Slots, and every fault of the package that they come from. */
interface SlotContract extends Contract {
    Duration TTL = Duration.ofSeconds(60);

    /** 10, 20, 30 and so on. */
    private SlotSeries tens() {
        return fixture().queue.slots().series("tens").next(SlotContract::plusTen);
    }

    private static String plusTen(@Nullable String last) {
        return String.valueOf((last == null ? 0 : Integer.parseInt(last)) + 10);
    }

    private static List<String> reserve(SlotSeries series, int count) {
        return IntStream.range(0, count).mapToObj(i -> series.reserve().value()).toList();
    }

    @Test
    default void reservedSlotsAreLookedPast() {
        assertThat(reserve(tens(), 7)).containsExactly("10", "20", "30", "40", "50", "60", "70");
    }

    @Test
    default void aClearedSlotIsIssuedAgainFirst() {
        Slot first = tens().reserve();
        assertThat(first.value()).isEqualTo("10");
        assertThat(first.clear()).isTrue();
        assertThat(first.clear()).isFalse();
        assertThat(reserve(tens(), 3)).containsExactly("10", "20", "30");
    }

    @Test
    default void withGapsAClearedSlotIsGone() {
        SlotSeries gaps = tens().gapless(false);
        gaps.reserve().clear();
        assertThat(reserve(gaps, 4)).containsExactly("20", "30", "40", "50");
    }

    @Test
    default void usedSlotsGoForward() {
        for (String expected : List.of("10", "20", "30", "40", "50")) {
            Slot slot = tens().reserve();
            assertThat(slot.value()).isEqualTo(expected);
            slot.use();
            assertThat(tens().lastUsed()).contains(expected);
        }
    }

    /** Reserve, reserve, release, release, reserve: the original issues 20 twice. */
    @Test
    default void jobsThatOverlapAndEndInOrderDoNotRepeatASlot() {
        Slot a = tens().reserve();
        Slot b = tens().reserve();
        a.use();
        b.use();
        assertThat(tens().reserve().value()).isEqualTo("30");
        assertThat(tens().lastUsed()).contains("20");
    }

    /** The latest place counts, not the latest moment. */
    @Test
    default void aSlotThatIsUsedLateDoesNotTurnTheSeriesBack() {
        Slot a = tens().reserve();
        Slot b = tens().reserve();
        b.use();
        a.use();
        assertThat(tens().lastUsed()).contains("20");
        assertThat(tens().reserve().value()).isEqualTo("30");
    }

    @Test
    default void theStartIsAskedOnceByWhoeverComesFirst() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        SlotSeries series = tens().startFrom(() -> {
            asked.incrementAndGet();
            return "70";
        });
        Set<String> seen = ConcurrentHashMap.newKeySet();
        inParallel(8, () -> seen.add(series.reserve().value()));
        assertThat(seen).containsExactlyInAnyOrder("80", "90", "100", "110", "120", "130", "140", "150");
        assertThat(asked).hasValue(1);
    }

    @Test
    default void workersThatReserveAtOnceNeverGetTheSameSlot() throws Exception {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        AtomicInteger twice = new AtomicInteger();
        inParallel(6, () -> {
            for (int i = 0; i < 50; i++) {
                if (!seen.add(tens().reserve().value())) {
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

    /** The original lets the former owner delete the reservation of the new one. */
    @Test
    default void aLateOwnerCanNeitherUseNorClearNorExtendWhatAnotherHas() throws Exception {
        Slot late = tens().reserve();
        letReservationsRunOut();
        Slot next = tens().reserve();
        assertThat(next.value()).isEqualTo("10");
        assertThat(late.clear()).isFalse();
        assertThat(late.extend(TTL)).isFalse();
        assertThatThrownBy(late::use).isInstanceOf(SlotException.class).hasMessageContaining("another owner");
        next.use();
        assertThat(tens().reserve().value()).isEqualTo("20");
    }

    /** Nobody has taken it: it is still this owner's to use. */
    @Test
    default void aLateOwnerMayUseWhatNobodyHasTaken() throws Exception {
        Slot late = tens().reserve();
        letReservationsRunOut();
        late.use();
        assertThat(tens().reserve().value()).isEqualTo("20");
    }

    private void letReservationsRunOut() throws Exception {
        fixture().execute("UPDATE pawl_slot SET expires_at = reserved_at WHERE state = 0");
    }

    @Test
    default void anExtendedSlotIsKept() throws Exception {
        Slot slot = tens().ttl(Duration.ofSeconds(1)).reserve();
        letReservationsRunOut();
        assertThat(slot.extend(TTL)).isTrue();
        assertThat(tens().reserve().value()).isEqualTo("20");
    }

    @Test
    default void seriesKnowNothingOfEachOther() {
        assertThat(tens().reserve().value()).isEqualTo("10");
        SlotSeries other = fixture().queue.slots().series("other");
        assertThat(reserve(other, 2)).containsExactly("1", "2");
        assertThat(tens().reserve().value()).isEqualTo("20");
    }

    @Test
    default void aNextThatDoesNotGoForwardIsAClearError() {
        SlotSeries stuck = tens().next(last -> "7");
        stuck.reserve();
        assertThatThrownBy(stuck::reserve).isInstanceOf(SlotException.class).hasMessageContaining("must go forward");
        SlotSeries nothing = tens().next(last -> null);
        assertThatThrownBy(nothing::reserve).isInstanceOf(SlotException.class).hasMessageContaining("null");
        SlotSeries circle = fixture()
                .queue
                .slots()
                .series("circle")
                .maxProbes(50)
                .next(last -> last == null || last.equals("b") ? "a" : "b");
        reserve(circle, 2);
        assertThatThrownBy(circle::reserve)
                .isInstanceOf(SlotException.class)
                .hasMessageContaining("50")
                .hasMessageContaining("maxProbes");
        assertThatThrownBy(() -> fixture().queue.slots().series("a b")).isInstanceOf(InvalidJobException.class);
        assertThatThrownBy(() -> tens().ttl(Duration.ZERO)).isInstanceOf(InvalidJobException.class);
    }

    @Test
    default void aSlotIsUsedWithTheBusinessWriteOrNotAtAll() throws Exception {
        fixture().execute("CREATE TABLE pawl_ticket (code varchar(20) PRIMARY KEY)");
        String insert = fixture().database.dialect().sql("INSERT INTO pawl_ticket VALUES (?)");
        int tickets = 200;
        fixture()
                .queue
                .enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, tickets).mapToObj(i -> "n" + i).toList());
        try (Worker worker = Worker.on(fixture().queue)
                .concurrency(8)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(
                        Fixture.GREET,
                        tens().around((name, run) -> run.transaction(connection -> {
                            try (var statement = connection.prepareStatement(insert)) {
                                statement.setString(1, run.slot().orElseThrow().value());
                                statement.executeUpdate();
                            }
                            if (run.attempt() == 1 && run.job().id() % 10 == 0) {
                                throw new IllegalStateException("after the write");
                            }
                        })))
                .start()) {
            await().atMost(Duration.ofSeconds(40)).until(() -> worker.stats().completed() == tickets);
        }
        assertThat(fixture().count("pawl_ticket")).isEqualTo(tickets);
        assertThat(fixture().longOf("SELECT COUNT(*) FROM pawl_slot WHERE state = 1"))
                .isEqualTo(tickets);
        assertThat(fixture().longOf("SELECT MAX(ordinal) FROM pawl_slot WHERE state = 1"))
                .as("no value is left out")
                .isEqualTo(tickets);
        assertThat(tens().lastUsed()).contains(String.valueOf(10 * tickets));
    }

    @Test
    default void aHandlerWithoutATransactionUsesItsSlotWhenItReturnsAndLosesItWhenItFails() throws Exception {
        List<String> slots = java.util.Collections.synchronizedList(new ArrayList<>());
        fixture().enqueue();
        try (Worker worker = Worker.on(fixture().queue)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(Fixture.GREET, tens().around((name, run) -> {
                    slots.add(run.slot().orElseThrow().value());
                    if (run.attempt() == 1) {
                        throw new IllegalStateException("first");
                    }
                }))
                .start()) {
            await().until(() -> worker.stats().completed() == 1);
        }
        assertThat(slots).containsExactly("10", "10");
        assertThat(tens().lastUsed()).contains("10");
    }

    @Test
    default void aSlotThatIsHeldOnFailureIsTheSameJobsAgain() throws Exception {
        List<String> slots = java.util.Collections.synchronizedList(new ArrayList<>());
        fixture().enqueue();
        try (Worker worker = Worker.on(fixture().queue)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMillis(10)))
                .handle(Fixture.GREET, tens().holdOnFailure(true).around((name, run) -> {
                    slots.add(run.slot().orElseThrow().value());
                    if (run.attempt() == 1) {
                        slots.add(tens().reserve().value()); // somebody else, meanwhile
                        throw new IllegalStateException("first");
                    }
                }))
                .start()) {
            await().until(() -> worker.stats().completed() == 1);
        }
        assertThat(slots).containsExactly("10", "20", "10");
    }

    @Test
    default void oldTracesAreTrimmed() throws Exception {
        SlotSeries numbers = fixture().queue.slots().series("numbers");
        numbers.reserve().use();
        fixture().execute("UPDATE pawl_slot_series SET last_ordinal = 5000 WHERE name = 'numbers'");
        assertThatThrownBy(() -> numbers.trim(10)).isInstanceOf(InvalidJobException.class);
        assertThat(numbers.trim(1000)).isEqualTo(1);
        assertThat(numbers.reserve().value()).isEqualTo("2");
    }
}
