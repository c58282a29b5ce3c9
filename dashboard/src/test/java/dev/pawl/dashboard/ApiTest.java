package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Job;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.dashboard.internal.json.JsonText;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiTest {
    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    private String json(String path) {
        HttpResponse<String> answer = site.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json;charset=utf-8");
        assertThat(JsonText.isJson(answer.body())).as(answer.body()).isTrue();
        return answer.body();
    }

    @Test
    void programsEnqueueFindAndChangeJobs() {
        HttpResponse<String> enqueued = site.send(
                "POST",
                "/api/jobs?kind=mail.send&queue=mail&tags=a,b&delay=PT1H&priority=3",
                "{\"to\": [1, \"<b>\"]}",
                "Pawl-Request",
                "1",
                "Content-Type",
                "application/json");
        assertThat(enqueued.statusCode()).isEqualTo(200);
        assertThat(enqueued.body()).contains("\"result\":\"inserted\"");
        Job job = site.queue().admin().jobs().list(JobFilter.ALL).get(0);
        assertThat(job.payload()).isEqualTo("{\"to\": [1, \"<b>\"]}");
        assertThat(job.tags()).containsExactly("a", "b");
        assertThat(job.priority()).isEqualTo(3);

        assertThat(site.send(
                                "POST",
                                "/api/jobs?kind=mail.send",
                                "{\"to\": 1}",
                                "Pawl-Request",
                                "1",
                                "Content-Type",
                                "application/x-www-form-urlencoded")
                        .body())
                .contains("application/json");
        assertThat(json("/api/jobs?kind=mail.send"))
                .contains("\"id\":" + job.id(), "\"next\":null")
                .doesNotContain("payload");
        assertThat(json("/api/jobs?limit=1")).contains("\"next\":" + job.id());
        assertThat(json("/api/jobs/" + job.id()))
                .contains("\"payload\":{\"to\": [1, \"<b>\"]}", "\"state\":\"available\"");
        assertThat(json("/api/jobs/count?change=cancel&queue=mail")).isEqualTo("{\"matching\":1}");
        assertThat(json("/api/queues")).contains("\"name\":\"mail\"", "\"delayed\":1");
        assertThat(site.send("POST", "/api/jobs/" + job.id() + "/cancel", "", "Pawl-Request", "1")
                        .body())
                .contains("\"result\":\"cancelled\"", "\"message\":\"job " + job.id() + " is cancelled\"");
        assertThat(site.queue().admin().jobs().find(job.id()).orElseThrow().state())
                .isEqualTo(JobState.CANCELLED);
        assertThat(site.send("POST", "/api/jobs/" + job.id() + "/cancel", "", "Pawl-Request", "1")
                        .statusCode())
                .isEqualTo(409);
        assertThat(site.send("POST", "/api/jobs/77/retry", "", "Pawl-Request", "1")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void blockedJobsHaveTheirState() {
        for (int i = 0; i < 2; i++) {
            site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.key("c1")));
        }
        assertThat(json("/api/jobs/2")).contains("\"state\":\"blocked\"").doesNotContain("\"availableAt\":null");
        site.queue().admin().jobs().cancel(2);
        assertThat(json("/api/jobs/2")).contains("\"state\":\"cancelled\"");
    }

    @Test
    void allOtherPathsReturnJson() {
        site.queue().enqueue(new JobRequest("mail.send", "not json", EnqueueOptions.DEFAULTS));
        for (String path : List.of(
                "queues",
                "counts",
                "unattended",
                "stalled",
                "jobs",
                "jobs/1",
                "jobs/1/attempts",
                "jobs/1/log",
                "failures",
                "schedules",
                "schedules/ticks?schedule=x",
                "limits",
                "workers",
                "slots",
                "slots/gaps?series=x",
                "doctor")) {
            json("/api/" + path);
        }
        assertThat(json("/api/jobs/1")).contains("\"payload\":null", "\"payloadText\":\"not json\"");
        assertThat(json("/api/unattended")).contains("\"kind\":\"mail.send\"");
        HttpResponse<String> wrong = site.get("/api/jobs?state=asleep");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body())
                .isEqualTo(
                        "{\"error\":\"'asleep' is not a state: use available, blocked, pending, paused, running, completed, cancelled or discarded\"}");
    }

    @Test
    void hiddenPayloadsCannotBeProbedOrChanged() {
        try (Site hiding = Site.onSqlite(options -> options.payloads(job -> "{\"secret\":\"***\"}"))) {
            long id = hiding.queue()
                    .enqueue(new JobRequest("mail.send", "{\"secret\":\"hunter2\"}", EnqueueOptions.DEFAULTS))
                    .jobId();
            for (String path : List.of(
                    "/jobs/" + id,
                    "/jobs/" + id + "/payload",
                    "/api/jobs/" + id,
                    "/jobs/new?copy=" + id,
                    "/jobs",
                    "/api/jobs")) {
                assertThat(hiding.get(path).body()).as(path).doesNotContain("hunter2");
            }
            assertThat(hiding.get("/jobs?text=hunter").statusCode()).isEqualTo(403);
            assertThat(hiding.get("/api/jobs?text=hunter").statusCode()).isEqualTo(403);
            for (String path :
                    List.of("/jobs?", "/jobs/change?change=cancel&", "/api/jobs?", "/api/jobs/count?change=cancel&")) {
                assertThat(hiding.get(path + "q=text:hunter").statusCode())
                        .as(path)
                        .isEqualTo(403);
            }
            assertThat(hiding.send("POST", "/api/jobs/change?change=cancel&q=text:hunter", "", "Pawl-Request", "1")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(hiding.get("/jobs/suggest?q=te").body()).doesNotContain("text:");
            assertThat(hiding.get("/api/jobs/count?change=cancel&text=hunter").statusCode())
                    .isEqualTo(403);
            assertThat(hiding.get("/jobs/change?change=cancel&text=hunter").statusCode())
                    .isEqualTo(403);
            assertThat(hiding.send("POST", "/api/jobs/change?change=cancel&text=hunter", "", "Pawl-Request", "1")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(hiding.send("POST", "/api/jobs/" + id + "/edit", "{}", "Pawl-Request", "1")
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    /** A regular expression on a large payload may overflow the stack instead of throwing an exception. */
    @Test
    void payloadViewsMayFailInAnyWay() {
        try (Site hiding = Site.onSqlite(options -> options.payloads(job -> {
            if (job.kind().equals("null")) {
                return null;
            }
            throw new StackOverflowError();
        }))) {
            for (String kind : List.of("null", "deep")) {
                long id = hiding.queue()
                        .enqueue(new JobRequest(kind, "{\"secret\":\"hunter2\"}", EnqueueOptions.DEFAULTS))
                        .jobId();
                for (String path : List.of("/jobs/" + id, "/jobs/" + id + "/payload", "/api/jobs/" + id)) {
                    HttpResponse<String> answer = hiding.get(path);
                    assertThat(answer.statusCode()).as(kind + path).isEqualTo(200);
                    assertThat(answer.body())
                            .as(kind + path)
                            .contains("not shown: hiding a part of it has failed")
                            .doesNotContain("hunter2");
                }
            }
        }
    }

    /** An edit records the previous payload in the job's log. */
    @Test
    void hiddenPayloadsAreHiddenInTheLogToo() {
        try (Site hiding = Site.onSqlite(options -> options.payloads(job -> "{\"secret\":\"***\"}"))) {
            long id = hiding.queue()
                    .enqueue(new JobRequest("mail.send", "{\"secret\":\n\"hunter2\"}", EnqueueOptions.DEFAULTS))
                    .jobId();
            hiding.queue()
                    .admin()
                    .jobs()
                    .edit(
                            id,
                            dev.pawl.admin.JobEdit.NOTHING
                                    .payload("{\"secret\":\"lemon\"}")
                                    .priority(4),
                            "ada");
            for (String path : List.of("/jobs/" + id, "/api/jobs/" + id + "/log")) {
                assertThat(hiding.get(path).body())
                        .as(path)
                        .contains("changed by ada", "priority 0")
                        .doesNotContain("hunter2", "lemon");
            }
        }
    }

    @Test
    void databaseFailuresAreReported() {
        assertThat(site.get("/ready").statusCode()).isEqualTo(200);
        site.loseTheDatabase();
        assertThat(site.get("/jobs").statusCode()).isEqualTo(503);
        assertThat(site.get("/jobs").body()).contains("the database failed", "id=\"live\"");
        assertThat(site.get("/api/jobs").body()).startsWith("{\"error\":");
        assertThat(site.get("/live").statusCode()).isEqualTo(200);
        await().atMost(Site.SOON)
                .untilAsserted(() -> assertThat(site.get("/ready").statusCode())
                        .isEqualTo(503)); // the database is checked again soon
    }

    /** The description lists every path and method, and no others. */
    @Test
    void theDescriptionIsComplete() {
        String description = site.get("/api/openapi.yaml").body();
        TreeSet<String> described = new TreeSet<>();
        String path = "";
        for (String line : description.lines().toList()) {
            var isPath = Pattern.compile("  (/[^:]+):").matcher(line);
            var isMethod = Pattern.compile("    (get|post):").matcher(line);
            if (isPath.matches()) {
                path = isPath.group(1);
            } else if (isMethod.matches()) {
                described.add(isMethod.group(1).toUpperCase(java.util.Locale.ROOT) + " " + path);
            }
        }
        TreeSet<String> there = new TreeSet<>(List.of("GET /live", "GET /ready"));
        site.dashboard().routes().stream()
                .filter(route -> route.contains(" /api/"))
                .forEach(there::add);
        assertThat(described).isEqualTo(there);
    }
}
