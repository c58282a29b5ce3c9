package dev.pawl.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Target;
import dev.pawl.servers.FullTier;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import org.junit.jupiter.api.Test;

/** A small version of each scenario shows the documented effect. */
class ScenarioTest {
    private static Scenario.Result seen(Scenario scenario, double scale) throws Exception {
        String database = Target.EMBEDDED.stream()
                .filter(scenario.products()::contains)
                .findFirst()
                .orElseThrow();
        return seen(scenario, scale, Target.of(database));
    }

    private static Scenario.Result seen(Scenario scenario, double scale, Target target) throws Exception {
        try (Scratch scratch = target.scratch()) {
            Scenario.Result seen = scenario.run(scratch, scale);
            assertThat(seen.rows())
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(row)
                            .hasSameSizeAs(seen.head())
                            .allSatisfy(cell -> assertThat(cell).isNotBlank()));
            return seen;
        }
    }

    private static double number(Scenario.Result seen, int row, String column) {
        String cell = seen.rows().get(row).get(seen.head().indexOf(column));
        return Double.parseDouble(cell.replace(",", "").replace(" %", ""));
    }

    @Test
    void scenarioNamesAreUnique() {
        assertThat(Scenario.all()).extracting(Scenario::name).doesNotHaveDuplicates();
        assertThat(Scenario.all())
                .extracting(Scenario::description)
                .allSatisfy(says -> assertThat(says).containsPattern("\\(00[1-4]\\)"));
    }

    @Test
    void naiveClaimsRunTasksTwiceAndTheOthersDoNot() throws Exception {
        Scenario.Result herd = seen(new Herd(), 0.1);
        assertThat(herd.rows())
                .extracting(row -> row.get(0))
                .containsExactly(
                        "naive", "naive update", "for update", "nowait", "skip locked", "Pawl, twenty handlers");
        assertThat(number(herd, 0, "tasks run twice")).isPositive();
        assertThat(number(herd, 3, "claims refused")).isPositive();
        for (int row = 2; row <= 5; row++) {
            assertThat(number(herd, row, "tasks run twice")).isZero();
            assertThat(number(herd, row, "left behind")).isZero();
        }
    }

    @Test
    void surgesCompleteWithoutFailures() throws Exception {
        Surge scenario = new Surge();
        Scenario.Result surge = seen(scenario, 0.5);
        assertThat(number(surge, 0, "failed")).isZero();
        assertThat(number(surge, 1, "failed")).isZero();
        assertThat(scenario.ahead().get(1))
                .as("of a surge with lower priority, at most the jobs in the worker's buffer start before a steady job")
                .isLessThan(10_000 / 2);
    }

    @Test
    void idleHandlersPollRarely() throws Exception {
        Scenario.Result pollers = seen(new Pollers(), 0.1);
        assertThat(number(pollers, 0, "commits/s")).isPositive();
        assertThat(number(pollers, 1, "commits/s"))
                .as("500 handlers that polled ten times a second would commit 5,000 times")
                .isLessThan(200);
    }

    @Test
    void oneBadTaskRollsBackItsNeighbours() throws Exception {
        Scenario.Result batches = seen(new BatchAtomic(), 0.2);
        assertThat(number(batches, 0, "undone")).isPositive();
        assertThat(number(batches, 0, "left behind")).isPositive();
        for (int row = 1; row <= 2; row++) {
            assertThat(number(batches, row, "undone")).isZero();
            assertThat(number(batches, row, "left behind")).isZero();
            assertThat(number(batches, row, "good tasks done")).isEqualTo(990);
        }
    }

    /** The measured log belongs to the whole server, so no other test may use this server. */
    @Test
    void longPayloadsInTheRowAreRewritten() throws Exception {
        try (TestServer alone = TestServers.newPostgres();
                TestDatabase database = alone.createDatabase()) {
            Scenario.Result tables = seen(new TwoTables(), 0.1, Target.of(database.jdbcUrl()));
            assertThat(number(tables, 2, "log bytes per task"))
                    .as("of 1,900 bytes in the row, against a table of their own")
                    .isGreaterThan(2 * number(tables, 3, "log bytes per task"));
        }
    }

    @Test
    void finishedTasksAreCostlyWithoutAPartialIndex() throws Exception {
        Scenario.Result growth = seen(new Growth(), 0.1);
        assertThat(number(growth, 0, "ms, behind finished")).isGreaterThan(number(growth, 2, "ms, behind finished"));
    }

    @Test
    @FullTier(group = "PAWL_LAB")
    void anotherManagerTakesOver() throws Exception {
        Scenario.Result deaths = seen(new ManagerDeath(), 0.1);
        for (int row = 0; row < 3; row++) {
            assertThat(number(deaths, row, "stall s")).isLessThan(30);
        }
        // Leases are so short here that those of the killed manager may expire before the outcomes of their jobs reach
        // the other manager.
        assertThat(number(deaths, 0, "begun twice") + number(deaths, 1, "begun twice"))
                .as("of two hundred, on a machine that does other things as well")
                .isLessThan(15);
    }

    @Test
    void secondsLockTasksForBothAndMicrosecondsDoNot() throws Exception {
        Scenario.Result locks = seen(new TimeStampLock(), 0.1);
        assertThat(number(locks, 0, "locked by both") + number(locks, 1, "locked by both"))
                .isPositive();
        assertThat(number(locks, 2, "locked by both")).isZero();
        assertThat(number(locks, 3, "locked by both")).isZero();
    }

    @Test
    void thePrintedSafetyNetFindsNothing() throws Exception {
        Scenario.Result net = seen(new SafetyNet(), 1);
        assertThat(number(net, 0, "found")).isZero();
        assertThat(number(net, 1, "found")).isEqualTo(100);
        assertThat(number(net, 1, "attempts after ten deaths")).isZero();
    }

    @Test
    void theLockerIssuesSlotsTwiceAndPawlDoesNot() throws Exception {
        Scenario.Result race = seen(new SlotRace(), 0.3);
        assertThat(number(race, 0, "twice, by the locker")).isZero();
        for (int row = 1; row <= 3; row++) {
            assertThat(number(race, row, "twice, by the locker")).isPositive();
        }
        for (int row = 0; row <= 3; row++) {
            assertThat(number(race, row, "twice, by Pawl")).isZero();
        }
    }
}
