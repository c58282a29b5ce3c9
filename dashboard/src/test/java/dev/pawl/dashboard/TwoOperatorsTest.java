package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two people view the same job. */
class TwoOperatorsTest {
    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    private String said(HttpResponse<String> done) {
        assertThat(done.statusCode()).isEqualTo(303);
        return site.get("/", "Cookie", Site.setCookie(done, "pawl_said")).body();
    }

    @Test
    void unseenPayloadsAreNotReplaced() {
        long id = site.queue()
                .enqueue(new JobRequest("mail.send", "{\"to\":\"ada\"}", EnqueueOptions.DEFAULTS))
                .jobId();
        String page = "/jobs/" + id;
        String shown = site.get(page).body().replaceFirst("(?s).*name=\"shown\" value=\"([^\"]+)\".*", "$1");

        assertThat(said(site.submit(page, page + "/edit", Map.of("payload", "{\"to\":\"bob\"}", "shown", shown))))
                .contains("is changed");
        assertThat(said(site.submit(page, page + "/edit", Map.of("payload", "{\"to\":\"eve\"}", "shown", shown))))
                .contains("the payload of job " + id + " was changed in the meantime");
        assertThat(site.queue().admin().jobs().find(id).orElseThrow().payload()).isEqualTo("{\"to\":\"bob\"}");
        // A program need not send the version that it has seen.
        assertThat(site.send(
                                "POST",
                                "/api" + page + "/edit",
                                "{\"to\":\"eve\"}",
                                "Pawl-Request",
                                "1",
                                "Content-Type",
                                "application/json")
                        .statusCode())
                .isEqualTo(200);
    }
}
