package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No path for changes, including paths added later, changes anything without permission or for another site. */
class ChangesAreGuardedTest {
    private static final String FORM = "application/x-www-form-urlencoded";
    /** Sufficient fields for each change, if it were allowed. */
    private static final String FIELDS = Site.form(Map.ofEntries(
            Map.entry("kind", "sent"),
            Map.entry("queue", "mail"),
            Map.entry("change", "cancel"),
            Map.entry("priority", "5"),
            Map.entry("of", "queue"),
            Map.entry("name", "mail"),
            Map.entry("atOnce", "1"),
            Map.entry("for", "PT1M"),
            Map.entry("schedule", "nightly"),
            Map.entry("recurrence", "every PT5M"),
            Map.entry("series", "codes"),
            Map.entry("value", "1"),
            Map.entry("group", "00000000")));

    private static List<String> changes(Site site) {
        List<String> changes = site.dashboard().routes().stream()
                .filter(route -> !route.startsWith("GET "))
                .map(route -> route.replace("POST ", "").replace("{id}", "1"))
                .toList();
        assertThat(changes).hasSizeGreaterThan(35).contains("/jobs/1/cancel", "/api/jobs/1/cancel");
        return changes;
    }

    private static long enqueue(Site site) {
        return site.queue()
                .enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue("mail")))
                .jobId();
    }

    private static void assertUnchanged(Site site, long id) {
        assertThat(site.queue().admin().jobs().list(JobFilter.ALL))
                .singleElement()
                .satisfies(job -> {
                    assertThat(job.id()).isEqualTo(id);
                    assertThat(job.state()).isEqualTo(JobState.AVAILABLE);
                    assertThat(job.priority()).isZero();
                    assertThat(job.payload()).isEqualTo("{}");
                });
        assertThat(site.queue().limits().list()).isEmpty();
        assertThat(site.queue().admin().queues().list(Admin.UNLIMITED))
                .singleElement()
                .matches(queue -> !queue.paused());
    }

    @Test
    void readOnlyViewersChangeNothing() {
        try (Site site = Site.onSqlite(options -> options.readOnly(true))) {
            long id = enqueue(site);
            for (String path : changes(site)) {
                HttpResponse<String> refused =
                        site.send("POST", path, FIELDS, "Content-Type", FORM, "Pawl-Request", "1");
                assertThat(refused.statusCode()).as(path).isEqualTo(403);
                assertThat(refused.body()).as(path).contains("has read-only access");
            }
            assertUnchanged(site, id);
            for (String page :
                    List.of("/", "/queues", "/jobs", "/jobs/" + id, "/jobs/new", "/schedules", "/limits", "/workers")) {
                assertThat(site.get(page).body()).as(page).contains("read-only").doesNotContain("method=\"post\"");
            }
        }
    }

    @Test
    void readOnlyTokensChangeNothing() {
        try (Site site = Site.onSqlite(options ->
                options.token(Role.READ_ONLY, "a-token-of-readers").token(Role.OPERATOR, "a-token-of-operators"))) {
            long id = enqueue(site);
            for (String path : changes(site)) {
                assertThat(site.send(
                                        "POST",
                                        path,
                                        FIELDS,
                                        "Content-Type",
                                        FORM,
                                        "Authorization",
                                        "Bearer a-token-of-readers")
                                .statusCode())
                        .as(path)
                        .isEqualTo(403);
                assertThat(site.send("POST", path, FIELDS, "Content-Type", FORM, "Pawl-Request", "1")
                                .statusCode())
                        .as(path + " by a stranger")
                        .isIn(303, 401);
            }
            assertUnchanged(site, id);
            assertThat(site.send(
                                    "POST",
                                    "/api/jobs/" + id + "/cancel",
                                    "",
                                    "Authorization",
                                    "Bearer a-token-of-operators")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void formsOfOtherSitesChangeNothing() {
        try (Site site = Site.onSqlite(options -> options)) {
            long id = enqueue(site);
            HttpResponse<String> page = site.get("/jobs/" + id);
            String cookie = Site.setCookie(page, "pawl_browser");
            String csrf = page.body().replaceFirst("(?s).*name=\"csrf\" value=\"([^\"]+)\".*", "$1");
            for (String path : changes(site)) {
                // With the cookie, as if SameSite did not exist, but without the form's token.
                assertThat(site.send("POST", path, FIELDS, "Content-Type", FORM, "Cookie", cookie)
                                .statusCode())
                        .as(path)
                        .isEqualTo(403);
                // The token of another browser.
                assertThat(site.send(
                                        "POST",
                                        path,
                                        FIELDS + "&csrf=" + csrf,
                                        "Content-Type",
                                        FORM,
                                        "Cookie",
                                        "pawl_browser=AAAAAAAAAAAAAAAAAAAAAA")
                                .statusCode())
                        .as(path)
                        .isEqualTo(403);
                for (String[] foreign : new String[][] {
                    {"Origin", "http://evil.example"},
                    {"Origin", "null"},
                    {"Sec-Fetch-Site", "cross-site"},
                    {"Sec-Fetch-Site", "same-site"},
                    {"Origin", "http://localhost:1"}
                }) {
                    assertThat(site.send(
                                            "POST",
                                            path,
                                            FIELDS + "&csrf=" + csrf,
                                            "Content-Type",
                                            FORM,
                                            "Cookie",
                                            cookie,
                                            "Pawl-Request",
                                            "1",
                                            foreign[0],
                                            foreign[1])
                                    .statusCode())
                            .as(path + " from " + foreign[1])
                            .isEqualTo(403);
                }
            }
            assertUnchanged(site, id);
        }
    }

    @Test
    void readingChangesNothing() {
        try (Site site = Site.onSqlite(options -> options)) {
            long id = enqueue(site);
            for (String path : changes(site)) {
                assertThat(site.get(path + "?" + FIELDS).statusCode()).as(path).isIn(200, 404, 405, 400);
                HttpResponse<String> put = site.send("PUT", path, FIELDS, "Pawl-Request", "1");
                assertThat(put.statusCode()).as(path).isEqualTo(405);
                assertThat(put.headers().allValues("Allow")) // one path lists jobs with GET and enqueues them with POST
                        .as(path)
                        .allMatch(methods -> methods.equals("POST") || methods.equals("GET, POST, HEAD"))
                        .hasSize(1);
            }
            assertUnchanged(site, id);
            assertThat(site.send("POST", "/queues", "", "Pawl-Request", "1")
                            .headers()
                            .firstValue("Allow"))
                    .contains("GET, HEAD");
        }
    }
}
