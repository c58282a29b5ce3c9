package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Retention;
import dev.pawl.conformance.Specified;
import dev.pawl.internal.admin.AdminCalls;
import dev.pawl.internal.admin.SqlAdmin;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.enqueue.PayloadLimit;
import dev.pawl.internal.feature.Decision;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.LinkedRows;
import dev.pawl.internal.feature.Transition;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.store.Verdict;
import dev.pawl.internal.wake.WakeHub;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows in a table that a feature adds are deleted with their jobs, although nothing but the feature's link names this table. */
@Specified
@WhiteBox
interface LinkedRowsContract extends Contract {
    /** The parts of such a feature. */
    final class Notes implements Feature {
        @Override
        public String name() {
            return "notes";
        }

        @Override
        public List<JobLink> links() {
            return List.of(JobLink.partOfJob("pawl_note", "written_at"));
        }

        @Override
        public Decision on(Transition transition) {
            return switch (transition) {
                case PRUNE, DELETE, ERASE -> Decision.deleteRows();
                default -> Decision.unaffected("the job keeps its id");
            };
        }
    }

    private LinkedRows withNotes() throws SQLException {
        fixture().execute("CREATE TABLE pawl_note AS SELECT job_id, logged_at AS written_at FROM pawl_job_log");
        fixture().execute("CREATE INDEX pawl_note_job ON pawl_note (job_id)");
        List<Feature> features = new ArrayList<>(Features.installed());
        features.add(new Notes());
        return new LinkedRows(fixture().database.dialect(), features);
    }

    private void note(long job, Duration age) throws SQLException {
        Dialect dialect = fixture().database.dialect();
        int unused = fixture().database.transaction(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(dialect.sql(
                    "INSERT INTO pawl_note (job_id, written_at) VALUES (?, " + dialect.nowPlusMicros() + ")"))) {
                insert.setLong(1, job);
                insert.setLong(2, -age.toNanos() / 1_000);
                return insert.executeUpdate();
            }
        });
    }

    private boolean isNoted(long job) throws SQLException {
        return fixture().count("pawl_note WHERE job_id = " + job) > 0;
    }

    private Pruner pruner(LinkedRows linked) throws SQLException {
        return new Pruner(
                fixture().database,
                Databases.of(fixture().pool, fixture().prefix).history(),
                linked);
    }

    private Admin admin(LinkedRows linked) throws SQLException {
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        return SqlAdmin.of(
                new AdminCalls(fixture().database, new WakeHub(WakeHub.localMessenger())),
                new SqlAdmin.JobParts(
                        Retention.DEFAULTS,
                        fixture().store.completionHook(),
                        fixture().store.workflows(),
                        linked,
                        new PayloadLimit(1 << 20)),
                fixture().store,
                pruner(linked),
                product.tables());
    }

    /** Until a range of a lane has been counted, jobs may still be committed late into it, and none of its jobs is deleted. */
    private void rangesAreCounted() throws SQLException {
        fixture().execute("UPDATE pawl_lane_range SET recount_at = NULL");
    }

    private long finished(Verdict verdict) throws SQLException {
        long job = fixture().enqueue();
        fixture().finish(fixture().claimOne().lease(), verdict);
        fixture().sweepMarked();
        note(job, Duration.ZERO);
        return job;
    }

    @Test
    default void linkedRowsArePrunedWithTheirJobs() throws Exception {
        LinkedRows linked = withNotes();
        long completed = finished(new Verdict.Completed());
        long last = finished(new Verdict.Completed()); // the newest range of a lane may stay
        long discarded = finished(new Verdict.Discarded("no", "boom"));
        fixture().letLeasesExpire(Duration.ofMillis(2));
        pruner(linked).prune(Retention.DEFAULTS.completed(Duration.ofMillis(1)));
        assertThat(isNoted(completed)).isFalse();
        assertThat(isNoted(last)).isEqualTo(fixture().admin.jobs().find(last).isPresent());
        assertThat(isNoted(discarded)).isTrue();
        pruner(linked).prune(Retention.DEFAULTS.discarded(Duration.ofMillis(1)));
        assertThat(isNoted(discarded)).isFalse();
    }

    @Test
    default void linkedRowsAreDeletedWithTheirJobs() throws Exception {
        LinkedRows linked = withNotes();
        long completed = finished(new Verdict.Completed());
        long discarded = finished(new Verdict.Discarded("no", "boom"));
        long waiting = fixture().enqueue();
        note(waiting, Duration.ZERO);
        rangesAreCounted();
        assertThat(admin(linked)
                        .jobs()
                        .changeAll(JobFilter.ALL, new JobChange.Delete(), count -> {})
                        .changed())
                .isEqualTo(2);
        assertThat(isNoted(completed)).isFalse();
        assertThat(isNoted(discarded)).isFalse();
        assertThat(isNoted(waiting)).isTrue();
    }

    @Test
    default void linkedRowsAreErasedWithTheirJobs() throws Exception {
        LinkedRows linked = withNotes();
        long completed = finished(new Verdict.Completed());
        long discarded = finished(new Verdict.Discarded("no", "boom"));
        long waiting = fixture().enqueue();
        note(waiting, Duration.ZERO);
        rangesAreCounted();
        assertThat(admin(linked)
                        .jobs()
                        .changeAll(JobFilter.ALL, new JobChange.Erase(), count -> {})
                        .changed())
                .isEqualTo(3);
        assertThat(List.of(isNoted(completed), isNoted(discarded), isNoted(waiting)))
                .containsOnly(false);
    }

    @Test
    default void linkedRowsWithoutAJobAreSwept() throws Exception {
        LinkedRows linked = withNotes();
        long waiting = fixture().enqueue();
        long gone = waiting + 1_000;
        note(waiting, Duration.ofHours(2));
        note(gone, Duration.ofHours(2));
        pruner(linked).prune(Retention.DEFAULTS);
        assertThat(isNoted(waiting)).isTrue();
        assertThat(isNoted(gone)).isFalse();
    }
}
