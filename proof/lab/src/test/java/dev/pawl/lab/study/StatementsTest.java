package dev.pawl.lab.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The statements of the study's code, with the columns of each product's grammar. */
class StatementsTest {
    private static final String CLAIMABLE =
            " WHERE queue = ? AND ((reserved_at IS NULL AND available_at <= ?) OR (reserved_at <= ?)) ORDER BY id ASC LIMIT ";

    private static Statements of(String product, String design) {
        return new Statements(product, Designs.named(design, 10));
    }

    @Test
    void aPessimisticClaimLocksTheFirstAndReservesIt() {
        assertThat(of("postgresql", "DBP-0-0-5").select()).isEqualTo("SELECT * FROM jobs" + CLAIMABLE + "1 FOR UPDATE");
        assertThat(of("mysql", "DBP-0-0-5-planner").select())
                .isEqualTo("SELECT * FROM jobs" + CLAIMABLE + "1 FOR UPDATE");
        assertThat(of("sqlite", "DBP-0-0-5").select()).isEqualTo("SELECT * FROM jobs" + CLAIMABLE + "1");
        assertThat(of("mysql", "DBP-0-0-5").reserve())
                .isEqualTo("UPDATE jobs SET reserved_at = ?, attempts = attempts + 1 WHERE id = ?");
    }

    @Test
    void onlyTheHintAndSkipLockedAreAdditions() {
        assertThat(of("mysql", "DBP-0-0-5").select())
                .isEqualTo("SELECT * FROM jobs FORCE INDEX (jobs_queue_index)" + CLAIMABLE + "1 FOR UPDATE");
        assertThat(of("mysql", "DBP-0-0-5-index54").select())
                .contains(" FORCE INDEX (jobs_queue_reserved_at_index) WHERE ");
        assertThat(of("mysql", "DBP-0-0-5-noindex").select()).startsWith("SELECT * FROM jobs WHERE ");
        assertThat(of("postgresql", "DBP-0-0-5-skip").select()).endsWith(" LIMIT 1 FOR UPDATE SKIP LOCKED");
    }

    @Test
    void anOptimisticClaimReadsAWindowAndReservesByTheVersion() {
        assertThat(of("postgresql", "DBO-0").select()).isEqualTo("SELECT * FROM jobs" + CLAIMABLE + "1");
        assertThat(of("postgresql", "DBO-1").select()).isEqualTo("SELECT * FROM jobs" + CLAIMABLE + "10");
        assertThat(of("mysql", "DBO-1").reserve())
                .isEqualTo("UPDATE jobs SET reserved_at = ?, attempts = attempts + 1, version = version + 1"
                        + " WHERE id = ? AND version = ?");
    }

    @Test
    void aFinishedJobIsFetchedMarkedOrDeletedByItsId() {
        assertThat(of("mysql", "DBP-0-1-1").fetch()).isEqualTo("SELECT * FROM jobs WHERE id = ? FOR UPDATE");
        assertThat(of("sqlite", "DBP-0-1-1").fetch()).isEqualTo("SELECT * FROM jobs WHERE id = ?");
        assertThat(of("mysql", "DBP-0-1-1").delete()).isEqualTo("DELETE FROM jobs WHERE id = ?");
        assertThat(of("mysql", "DBP-1-0-1").mark()).isEqualTo("UPDATE jobs SET delete_mark = 1 WHERE id = ?");
    }

    @Test
    void jobsAreInsertedWithADelayAndReleasedTogether() {
        assertThat(of("mysql", "DBP-0-0-5").insert())
                .isEqualTo("INSERT INTO jobs (queue, payload, attempts, available_at, created_at)"
                        + " VALUES ('default', ?, 0, ?, ?)");
        assertThat(of("mysql", "DBP-0-0-5").release()).isEqualTo("UPDATE jobs SET available_at = 0");
    }

    @Test
    void theIndexIsTheStudysTheOldOneOrNone() {
        assertThat(of("postgresql", "DBP-0-0-5").create())
                .last()
                .isEqualTo("CREATE INDEX jobs_queue_index ON jobs (queue)");
        assertThat(of("mysql", "DBP-0-0-5-index54").create())
                .last()
                .isEqualTo("CREATE INDEX jobs_queue_reserved_at_index ON jobs (queue, reserved_at)");
        assertThat(of("sqlite", "DBP-0-0-5-noindex").create()).noneMatch(sql -> sql.contains("INDEX"));
    }
}
