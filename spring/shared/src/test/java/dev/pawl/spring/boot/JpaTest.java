package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.JobState;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

/** Entities and jobs commit together, on both sides of the queue. */
class JpaTest {
    @Test
    void entitiesAndJobsCommitTogether() {
        commitTogether(TestServers.postgres());
    }

    static void commitTogether(TestServer server) {
        try (App app = App.start(
                server,
                JpaProgram.class,
                "spring.jpa.hibernate.ddl-auto=update",
                "spring.jpa.open-in-view=false",
                "pawl.worker.retry.first=10ms")) {
            app.table().execute("ALTER TABLE purchase ADD CHECK (ships >= 0)");
            JpaProgram.Shop shop = app.bean(JpaProgram.Shop.class);
            assertThatThrownBy(() -> shop.buy(1, false)).hasMessage("not paid");
            assertThat(app.jobs()).isEmpty();
            assertThat(app.bean(JpaProgram.Purchases.class).count()).isZero();

            shop.buy(2, true);
            app.awaitJobs(JobState.COMPLETED, 2);
            assertThat(app.table().queryForList("SELECT confirmed AND ships = 1 FROM purchase", Boolean.class))
                    .containsExactly(true);
            assertThat(app.rows()).isEqualTo(1);
            assertThat(app.jobs()).allSatisfy(job -> assertThat(job.attempt()).isEqualTo(2));

            AtomicBoolean enqueued = new AtomicBoolean();
            JpaProgram.AT_FLUSH.set(() -> {
                app.queue().enqueue(JpaProgram.SHIP, 2L);
                enqueued.set(true);
            });
            try {
                assertThatThrownBy(() -> shop.spoil(2)).isInstanceOf(DataAccessException.class);
            } finally {
                JpaProgram.AT_FLUSH.set(() -> {});
            }
            assertThat(enqueued).isTrue();
            assertThat(app.jobs()).as("what was enqueued by the entity is rolled back").hasSize(2);
        }
    }
}
