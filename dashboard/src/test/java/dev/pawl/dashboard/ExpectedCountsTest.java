package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Worker;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A change of many jobs is refused if many more match than the user was shown. */
class ExpectedCountsTest {
    private static final JobType<String> MAIL =
            JobType.of("mail.send", String.class).withDefaults(EnqueueOptions.DEFAULTS.maxAttempts(1));

    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    private void fail(int jobs) throws InterruptedException {
        for (int i = 0; i < jobs; i++) {
            site.queue().enqueue(MAIL, "ada@example.com");
        }
        try (Worker worker = Worker.on(site.queue())
                .handle(MAIL, (payload, run) -> {
                    throw new IllegalStateException("the post office is closed");
                })
                .start()) {
            worker.awaitIdle(Site.SOON);
        }
    }

    private HttpResponse<String> change(String path) {
        return site.send("POST", path, "", "Pawl-Request", "1");
    }

    @Test
    void moreFailuresThanShownAreNotRetried() throws Exception {
        fail(1);
        assertThat(site.get("/failures").body())
                .contains("<p>1 job will run again now.</p>", "name=\"expected\" value=\"1\"");
        String group = site.queue()
                .admin()
                .runs()
                .failures(null, null, Admin.UNLIMITED)
                .get(0)
                .id();
        fail(20);
        String retry = "/api/failures/retry?group=" + group + "&expected=";
        HttpResponse<String> refused = change(retry + 1);
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("21 jobs match now, many more than the 1 that you were shown");
        assertThat(site.queue().admin().jobs().list(JobFilter.ALL))
                .hasSize(21)
                .allMatch(job -> job.state() == JobState.DISCARDED);
        assertThat(change("/api/failures/cancel?group=" + group + "&expected=0").statusCode())
                .as("none of them waits")
                .isEqualTo(200);
        assertThat(change(retry + 20).body()).contains("\"changed\":21");
    }

    @Test
    void anyNumberMayBeExpected() throws Exception {
        fail(1);
        for (String expected : new String[] {"0", "-9223372036854775808", "9223372036854775807"}) {
            assertThat(change("/api/jobs/change?state=discarded&change=cancel&expected=" + expected)
                            .statusCode())
                    .as(expected)
                    .isEqualTo(200);
        }
    }
}
