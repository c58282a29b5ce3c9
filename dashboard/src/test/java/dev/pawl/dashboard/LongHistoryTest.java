package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page of a job with thousands of failures and log lines stays small, because pages reload repeatedly. */
class LongHistoryTest {
    private static final String NUMBERS =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT ";

    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void theLatestEventsAreShown() throws Exception {
        long id = site.queue()
                .enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.uniqueKey("a")))
                .jobId();
        site.execute(
                "INSERT INTO pawl_attempt (job_id, lease_token, attempt, failed_at, error) " + NUMBERS.formatted(2_000)
                        + id + ", i, i, i * 1000000, 'failed ' || i || '.' || printf('%.5000c', 'x') FROM n");
        site.execute("INSERT INTO pawl_job_log (job_id, attempt, logged_at, line) " + NUMBERS.formatted(5_000) + id
                + ", 1, i * 1000000, 'line ' || i || '.' FROM n");

        site.execute("INSERT INTO pawl_assignment (job_id, lease_token, attempt, assigned_at, worker) "
                + NUMBERS.formatted(200) + id + ", i, i, i * 1000000, 'http://worker-' || i || ':80' FROM n");

        String page = site.get("/jobs/" + id).body();
        assertThat(page)
                .hasSizeLessThan(1_000_000)
                .contains("the latest 50", "failed 2000.", "failed 1951.", "line 5000.", "line 4501.")
                .doesNotContain("failed 1950.", "line 4500.")
                .contains("http://worker-200:80", "http://worker-151:80")
                .doesNotContain("http://worker-150:80");
        assertThat(site.queue().admin().runs().assignments(id, Admin.UNLIMITED)).hasSize(200);
        assertThat(page.indexOf("line 4501.")).isLessThan(page.indexOf("line 5000."));

        String attempts = site.get("/api/jobs/" + id + "/attempts").body();
        assertThat(attempts).contains("failed 1901.", "failed 2000.").doesNotContain("failed 1900.");
        String log = site.get("/api/jobs/" + id + "/log?limit=3").body();
        assertThat(log).contains("line 4998.", "line 5000.").doesNotContain("line 4997.");
        assertThat(site.get("/api/jobs/" + id + "/log").body())
                .contains("line 4001.")
                .doesNotContain("line 4000.");
        assertThat(site.get("/api/jobs/" + id + "/log?limit=0").statusCode()).isEqualTo(400);
        assertThat(site.queue().admin().runs().failedAttempts(id, Admin.UNLIMITED))
                .hasSize(2_000);
        assertThat(site.queue().admin().runs().log(id, Admin.UNLIMITED)).hasSize(5_000);
    }
}
