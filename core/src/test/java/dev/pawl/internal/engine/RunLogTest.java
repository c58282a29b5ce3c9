package dev.pawl.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunLogTest {
    private final FakeStore store = new FakeStore();
    private final RunLog log = new RunLog(store);

    private void add(String... lines) {
        for (String line : lines) {
            log.add(PartsFixture.job(1, 1), line);
        }
    }

    @Test
    void linesAreWrittenTogetherAndOnce() throws Exception {
        add("one", "two");
        log.flush();
        log.flush();
        assertThat(store.logged()).containsExactly("one", "two");
        assertThat(store.calls("log")).isEqualTo(1);
    }

    /** The database subtracts the age from its own time, so a delayed line must not be dated at the time of the write. */
    @Test
    void aLineIsAsOldAsTheTimeThatItHasWaited() throws Exception {
        long before = System.nanoTime();
        add("one");
        long added = System.nanoTime();
        store.fail("log", 1, FakeStore.away());
        assertThatThrownBy(log::flush).isInstanceOf(SQLException.class);
        while (System.nanoTime() - added < 1_000_000) {
            Thread.onSpinWait();
        }
        log.flush();
        assertThat(store.ages())
                .singleElement()
                .satisfies(age -> assertThat(age.toNanos()).isBetween(1_000_000L, System.nanoTime() - before));
    }

    @Test
    void aLineIsMadeFitToStore() throws Exception {
        add("x".repeat(2000), "y".repeat(2001), "a\0b");
        log.flush();
        assertThat(store.logged()).containsExactly("x".repeat(2000), "y".repeat(2000), "a\uFFFDb");
    }

    @Test
    void manyAreWrittenAThousandAtATime() throws Exception {
        for (int i = 0; i < 2500; i++) {
            add("line " + i);
        }
        log.flush();
        assertThat(store.logged()).hasSize(2500);
        assertThat(store.calls("log")).isEqualTo(3);
    }

    @Test
    void whatDoesNotFitIsDropped() throws Exception {
        for (int i = 0; i < 10_001; i++) {
            add("line " + i);
        }
        log.flush();
        assertThat(store.logged()).hasSize(10_000).last().isEqualTo("line 9999");
    }

    @Test
    void whileTheDatabaseIsAwayLinesAreKeptInTheirOrder() throws Exception {
        add("one", "two");
        store.fail("log", 1, FakeStore.away());
        assertThatThrownBy(log::flush).isInstanceOf(SQLException.class);
        add("three");
        log.flush();
        log.flush();
        assertThat(store.logged()).containsExactly("one", "two", "three");
    }

    @Test
    void anOutageDuringTheSearchForABadLineLosesNoOtherLine() throws Exception {
        add("one", "bad", "three", "four");
        store.fail("log bad", FakeStore.refused());
        store.fail("log three", 1, FakeStore.away());
        assertThatThrownBy(log::flush).isInstanceOf(SQLException.class);
        log.flush();
        assertThat(store.logged()).containsExactly("one", "three", "four");
    }

    @Test
    void aRefusedLineDoesNotKeepOthersFromBeingWritten() throws Exception {
        add("one", "bad", "three");
        store.fail("log bad", FakeStore.refused());
        log.flush();
        log.flush();
        assertThat(store.logged()).isEqualTo(List.of("one", "three"));
    }
}
