package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobState;
import dev.pawl.admin.StackRequest;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import dev.pawl.servers.process.JavaProcess;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BrowserOnPostgresTest extends BrowserOnDatabases {
    @Override
    TestServer server() {
        return TestServers.postgres();
    }

    private void awaitState(long job, JobState state) {
        await().atMost(Duration.ofSeconds(40)) // the page follows by itself
                .until(() -> browser.is("document.querySelector('.lead .state').textContent.trim() === '"
                        + state.name().toLowerCase(Locale.ROOT) + "'"));
        assertThat(sample.state(job)).isEqualTo(state);
    }

    /** The job comes back, and nobody is told that what has died is at work, whatever is pressed meanwhile. */
    @Test
    void pagesTellTheTruthWhileWorkersAreKilled() {
        long id = site.queue().enqueue(MortalWorker.LETTER, "to Ada").jobId();
        String page = "/jobs/" + id;
        browser.open(site.url() + page);
        try (JavaProcess mortal = JavaProcess.start(MortalWorker.class, Map.of(), site.jdbcUrl(), "hang")) {
            awaitState(id, JobState.RUNNING);
            mortal.kill();
            assertThat(site.queue().admin().askForStack(id)) // its lease has not run out
                    .isEqualTo(StackRequest.ASKED);
            press("/queues", "/queues/pause", Map.of("queue", "mail"), "is paused");
            browser.open(site.url() + page);
            awaitState(id, JobState.AVAILABLE);
        }
        String text = "document.body.innerText.includes('%s')";
        assertThat(browser.is(text.formatted("over before its worker answered")))
                .isTrue();
        press("/queues", "/queues/resume", Map.of("queue", "mail"), "goes on");
        browser.open(site.url() + page);
        try (JavaProcess heir = JavaProcess.start(MortalWorker.class, Map.of(), site.jdbcUrl())) {
            awaitState(id, JobState.COMPLETED);
            heir.kill();
        }
        assertThat(browser.is(text.formatted("attempt 1 failed"))).isTrue();
        assertThat(browser.is(text.formatted("2 of 20"))).isTrue();
        assertThat(site.queue().admin().failedAttempts(id)).hasSize(1);
        assertThat(browser.complaints()).isEmpty();
    }
}
