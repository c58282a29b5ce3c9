package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.WorkerInfo;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.Job;
import dev.pawl.api.JobHandler;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Signal;
import dev.pawl.api.Slot;
import dev.pawl.api.WorkerCommand;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.servers.TestServer;
import dev.pawl.spi.Series;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every page shows its content, and every button has its effect; on each database. */
abstract class PagesOnDatabases {
    private static final JobType<String> MAIL =
            JobType.of("mail.send", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));

    private Site site;
    private JobQueue queue;

    abstract TestServer server();

    @BeforeEach
    void open() {
        site = new Site(server(), "", options -> options.samples(false));
        queue = site.queue();
    }

    @AfterEach
    void close() {
        site.close();
    }

    private long enqueue(String payload) {
        return queue.enqueue(MAIL, payload).jobId();
    }

    private Job job(long id) {
        return queue.admin().jobs().find(id).orElseThrow();
    }

    private String page(String path) {
        HttpResponse<String> page = site.get(path);
        assertThat(page.statusCode()).as(path + "\n" + page.body()).isEqualTo(200);
        return page.body();
    }

    private String press(String page, String action, Map<String, String> fields) {
        HttpResponse<String> done = site.submit(page, action, fields);
        assertThat(done.statusCode()).as(action + "\n" + done.body()).isEqualTo(303);
        String said = Site.setCookie(done, "pawl_said");
        return java.net.URLDecoder.decode(said, java.nio.charset.StandardCharsets.UTF_8);
    }

    private void work(Outcome outcome) throws InterruptedException {
        try (Worker worker = Worker.on(queue)
                .queues("mail")
                .handle(MAIL, Handlers.completing((payload, run) -> {
                    run.log("saw " + payload);
                    if (payload.equals("fail")) {
                        throw new IllegalStateException("the post office is closed");
                    }
                    return outcome;
                }))
                .start()) {
            worker.awaitIdle(Site.SOON);
        }
    }

    @Test
    void allPagesWorkForAnEmptyQueue() {
        for (String path : List.of(
                "/",
                "/queues",
                "/jobs",
                "/jobs/new",
                "/batches",
                "/workflows",
                "/failures",
                "/schedules",
                "/limits",
                "/workers",
                "/managers",
                "/slots",
                "/database")) {
            assertThat(page(path)).as(path).contains("<h1>", "Skip to the content");
        }
        assertThat(page("/")).contains("Nothing needs attention.", "too few samples of the last hour");
        assertThat(page("/?span=week")).contains("too few samples of the last week");
    }

    @Test
    void jobsAreShownWithTheirHistory() throws Exception {
        long failing = queue.enqueue(
                        MAIL, "fail", MAIL.defaults().maxAttempts(1).tags("urgent"))
                .jobId();
        work(Outcome.completed());
        assertThat(page("/jobs/" + failing))
                .contains(
                        "<li class=\"discarded\">", // red, unlike the green of completed jobs
                        "attempt 1 failed",
                        "the post office is closed",
                        "saw fail",
                        "urgent",
                        "Run again");
        assertThat(page("/failures")).contains("the post office is closed", "mail.send", "1 job failed for good");
        assertThat(page("/")).contains("the post office is closed");
        assertThat(page("/workers")).contains("stopped", "mail.send");
        assertThat(page("/database")).contains("Finished jobs", "mail");
        assertThat(site.get("/jobs/" + failing + "/payload").body()).isEqualTo("\"fail\"");
        assertThat(site.get("/jobs/999999").statusCode()).isEqualTo(404);
    }

    @Test
    void jobsAreFoundAndListedInPages() {
        for (int i = 0; i < 120; i++) {
            enqueue("n" + i);
        }
        long other = queue.enqueue(new JobRequest("other", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
        assertThat(page("/jobs?kind=other"))
                .contains("id=\"job-" + other + "\"")
                .doesNotContain("rel=\"next\"");
        assertThat(page("/jobs?queue=mail&text=n119")).contains("mail.send").containsOnlyOnce("id=\"job-");
        assertThat(page("/jobs?state=completed")).contains("No job matches");
        String path = "/jobs?queue=mail";
        int found = 0;
        while (true) {
            String body = page(path);
            found += body.split("id=\"job-", -1).length - 1;
            var next = java.util.regex.Pattern.compile("href=\"([^\"]+)\" rel=\"next\"")
                    .matcher(body);
            if (!next.find()) {
                break;
            }
            path = next.group(1).replace("&amp;", "&");
        }
        assertThat(found).isEqualTo(120);
        assertThat(site.get("/jobs/go?id=" + other).headers().firstValue("location"))
                .hasValue("/jobs/" + other);
    }

    /**
     * A filter line and the filter fields find the same jobs on the page, in the API and for changes. Each of the two forms shows the
     * equivalent of the other.
     */
    @Test
    void filterLinesAndFieldsAreEquivalent() {
        String odd = "it's \"odd\" \\ <b>%_";
        long wanted = queue.enqueue(
                        MAIL, odd, MAIL.defaults().tags("news of July").key("customer 7"))
                .jobId();
        long other = enqueue("other");
        for (String line : List.of(
                "tag:\"news of July\" queue:mail state:blocked",
                "key:\"customer 7\" kind:mail.send from:1h",
                "text:<b>%_ since:2020-01-01 before:2090-01-01")) {
            String query = "q=" + java.net.URLEncoder.encode(line, java.nio.charset.StandardCharsets.UTF_8);
            assertThat(page("/jobs?" + query))
                    .as(line)
                    .contains("id=\"job-" + wanted + "\"", "value=\"" + escaped(line) + "\" list=\"lines\"")
                    .doesNotContain("id=\"job-" + other + "\"");
            assertThat(site.get("/api/jobs?" + query).body())
                    .contains("\"id\":" + wanted + ",")
                    .doesNotContain("\"id\":" + other + ",");
            assertThat(site.get("/api/jobs/count?change=cancel&" + query).body())
                    .isEqualTo("{\"matching\":1}");
            assertThat(page("/jobs/change?change=cancel&" + query)).contains("Cancel 1 job<");
        }
        assertThat(page("/jobs?queue=mail&tag=news+of+July"))
                .contains("value=\"" + escaped("queue:mail tag:\"news of July\"") + "\" list=\"lines\"");
        assertThat(page("/jobs?q=tag:%22news+of+July%22")).contains("name=\"tag\" value=\"news of July\"");
        assertThat(page("/jobs?q=queue:mail&kind=mail.send"))
                .contains("value=\"queue:mail kind:mail.send\" list=\"lines\"", "id=\"job-" + other + "\"");
        assertThat(page("/jobs/suggest?q=tag:")).contains("<option value=\"" + escaped("tag:\"news of July\"") + "\">");
        assertThat(site.send("POST", "/api/jobs/change?change=cancel&q=tag:%22news+of+July%22", "", "Pawl-Request", "1")
                        .body())
                .contains("1 job(s) changed");
        assertThat(job(wanted).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(other).state()).isEqualTo(JobState.AVAILABLE);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&#34;");
    }

    @Test
    void invalidFilterLinesChangeNothingAndAreExplained() {
        long id = enqueue("x");
        for (String line :
                List.of("stat:available", "tag:a+tag:a", "mail", "queue:", "-tag:a", "queue:mail&queue=mail")) {
            HttpResponse<String> page = site.get("/jobs?q=" + line);
            assertThat(page.statusCode()).as(line).isEqualTo(400);
            assertThat(page.body())
                    .as(line)
                    .contains("role=\"alert\" id=\"line-problem\"", "aria-invalid=\"true\"", "Nothing was searched")
                    .doesNotContain("id=\"job-", "Change all that match", "id=\"live\"");
            assertThat(site.get("/api/jobs?q=" + line).statusCode()).isEqualTo(400);
            assertThat(site.get("/jobs/change?change=cancel&q=" + line).statusCode())
                    .isEqualTo(400);
            assertThat(site.send("POST", "/api/jobs/change?change=cancel&q=" + line, "", "Pawl-Request", "1")
                            .statusCode())
                    .isEqualTo(400);
        }
        assertThat(site.get("/jobs?q=stat:x").body())
                .contains("at character 1 is not a qualifier", "uniqueKey, text, from, until", "value=\"stat:x\"");
        assertThat(site.send("POST", "/api/jobs/change?change=cancel&q=+", "", "Pawl-Request", "1")
                        .statusCode())
                .isEqualTo(400);
        assertThat(job(id).state()).isEqualTo(JobState.AVAILABLE);
    }

    /** A job links to the configured logs and traces, and values from its headers cannot redirect these links. */
    @Test
    void jobsLinkToTheirLogsAndTraces() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        try (Site linking = new Site(
                server(),
                "",
                options -> options.samples(false)
                        .link("Logs=https://logs.example.com/{queue}?q={id}&of={kind}")
                        .link("Trace=https://traces.example.com/{traceparent}")
                        .link("Order=https://shop.example.com/{header:x-order}"))) {
            long plain = linking.queue().enqueue(MAIL, "x").jobId();
            assertThat(linking.get("/jobs/" + plain).body())
                    .contains("<a href=\"https://logs.example.com/mail?q=" + plain
                            + "&amp;of=mail.send\" rel=\"noreferrer noopener\">Logs</a>")
                    .doesNotContain("traces.example.com", "shop.example.com");
            long traced = linking.queue()
                    .enqueue(
                            MAIL,
                            "x",
                            MAIL.defaults()
                                    .header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                                    .header("x-order", "\"><script>alert(1)</script> //evil.example"))
                    .jobId();
            assertThat(linking.get("/jobs/" + traced).body())
                    .contains(
                            "<a href=\"https://traces.example.com/" + trace + "\"",
                            "<a href=\"https://shop.example.com/%22%3E%3Cscript%3Ealert%281%29%3C%2Fscript%3E%20%2F%2Fevil.example\"")
                    .doesNotContain("<script>alert");
        }
    }

    @Test
    void jobsAreCancelledRetriedAndChanged() {
        long id = enqueue("x");
        String page = "/jobs/" + id;
        assertThat(press(page, page + "/edit", Map.of("payload", "\"y\"", "priority", "7")))
                .contains("changed");
        assertThat(job(id).payload()).isEqualTo("\"y\"");
        assertThat(job(id).priority()).isEqualTo(7);
        assertThat(page(page)).contains("dashboard"); // the log names the author of the change
        assertThat(press(page, page + "/cancel", Map.of())).contains("job " + id + " is cancelled");
        assertThat(job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(press(page, page + "/retry", Map.of("back", page))).contains("available now");
        assertThat(job(id).state()).isEqualTo(JobState.AVAILABLE);
        HttpResponse<String> wrong = site.submit(page, page + "/edit", Map.of("payload", "{not json"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("not JSON");
        assertThat(job(id).payload()).isEqualTo("\"y\"");
    }

    @Test
    void jobsAreEnqueuedAndCopied() {
        long id = enqueue("copied");
        assertThat(page("/jobs/new?copy=" + id)).contains("copied", "mail.send");
        long keyed = queue.enqueue(new JobRequest(
                        "mail.send",
                        "{}",
                        EnqueueOptions.DEFAULTS.key("customer-7").maxAttempts(3)))
                .jobId();
        // The copy keeps the concurrency key, because without the key it could run concurrently with other jobs of the
        // key.
        assertThat(page("/jobs/new?copy=" + keyed))
                .contains("name=\"key\" value=\"customer-7\"", "name=\"maxAttempts\" value=\"3\"");
        assertThat(press(
                        "/jobs/new",
                        "/jobs",
                        Map.of("kind", "mail.send", "queue", "mail", "payload", "\"typed\"", "tags", "a, b")))
                .contains("is enqueued");
        Job made = queue.admin().jobs().list(JobFilter.ALL.tag("b")).get(0);
        assertThat(made.payload()).isEqualTo("\"typed\"");
        assertThat(made.tags()).containsExactly("a", "b");
    }

    @Test
    void matchingJobsAreChangedAfterShowingTheirNumber() {
        for (int i = 0; i < 30; i++) {
            enqueue("n" + i);
        }
        long other = queue.enqueue(new JobRequest("other", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
        String preview = "/jobs/change?queue=mail&change=cancel";
        assertThat(page(preview)).contains("30 jobs", "Cancel 30 jobs");
        assertThat(press(preview, "/jobs/change", Map.of("queue", "mail", "change", "cancel", "expected", "2")))
                .contains("many more");
        assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.CANCELLED)))
                .isEmpty();
        assertThat(press(preview, "/jobs/change", Map.of("queue", "mail", "change", "cancel", "expected", "30")))
                .contains("30 job(s) changed");
        assertThat(queue.admin().jobs().list(JobFilter.ALL.state(JobState.CANCELLED)))
                .hasSize(30);
        assertThat(job(other).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(press(
                        "/jobs/change?state=available&change=move&toQueue=late",
                        "/jobs/change",
                        Map.of("state", "available", "change", "move", "toQueue", "late")))
                .contains("1 job(s) changed");
        assertThat(job(other).queue()).isEqualTo("late");
    }

    @Test
    void jobsAreMovedDeletedAndErased() {
        long id = enqueue("x");
        String page = "/jobs/" + id;
        assertThat(press(page, page + "/delete", Map.of())).contains("only finished jobs can be deleted");
        assertThat(press(page, page + "/move", Map.of("toQueue", "late"))).contains("is moved to queue late");
        assertThat(job(id).queue()).isEqualTo("late");
        press(page, page + "/cancel", Map.of());
        assertThat(press("/jobs/new", page + "/move", Map.of("toQueue", "mail")))
                .contains("only jobs that wait");
        assertThat(press(page, page + "/delete", Map.of())).contains("is deleted");
        assertThat(queue.admin().jobs().find(id)).isEmpty();
        long other = enqueue("y");
        assertThat(press("/jobs/new", "/jobs/" + other + "/erase", Map.of())).contains("is erased");
        assertThat(press("/jobs/new", "/jobs/" + other + "/erase", Map.of())).contains("does not exist");
    }

    @Test
    void selectedJobsAreChanged() {
        long first = enqueue("a");
        long second = enqueue("b");
        long third = enqueue("c");
        assertThat(page("/jobs")).contains("name=\"job-" + first + "\"", "form=\"selected\"");
        assertThat(press(
                        "/jobs",
                        "/jobs/selected",
                        Map.of("change", "cancel", "job-" + first, "on", "job-" + second, "on")))
                .contains("2 job(s) changed: cancel");
        assertThat(job(second).state()).isEqualTo(JobState.CANCELLED);
        assertThat(job(third).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(press(
                        "/jobs",
                        "/jobs/selected",
                        Map.of("change", "delete", "job-" + first, "on", "job-" + third, "on")))
                .contains("1 job(s) changed: delete; not changed: job " + third
                        + " is available: only finished jobs can be deleted");
        String path = "/api/jobs/selected?change=move&toQueue=late";
        assertThat(site.send("POST", path + "&ids=" + third + ",999999", "", "Pawl-Request", "1")
                        .body())
                .contains("\"changed\":1", "\"left\":[999999]");
        assertThat(job(third).queue()).isEqualTo("late");
        assertThat(site.send("POST", path, "", "Pawl-Request", "1").statusCode())
                .isEqualTo(400);
    }

    @Test
    void jobsWithTheSameCauseAreRetried() throws Exception {
        long failing =
                queue.enqueue(MAIL, "fail", MAIL.defaults().maxAttempts(1)).jobId();
        work(Outcome.completed());
        String group = queue.admin()
                .runs()
                .failures(null, null, Admin.UNLIMITED)
                .get(0)
                .id();
        assertThat(press("/failures", "/failures/retry", Map.of("group", group)))
                .contains("1 job(s) are available now");
        assertThat(job(failing).state()).isEqualTo(JobState.AVAILABLE);
    }

    @Test
    void queuesPauseAndResume() {
        enqueue("x");
        assertThat(press("/queues", "/queues/pause", Map.of("queue", "mail"))).contains("mail is paused");
        assertThat(page("/queues")).contains("paused", "Resume");
        assertThat(page("/")).contains("queue mail is paused, with 1 job waiting");
        assertThat(queue.admin().queues().list(Admin.UNLIMITED).get(0).paused()).isTrue();
        press("/queues", "/queues/resume", Map.of("queue", "mail"));
        assertThat(queue.admin().queues().list(Admin.UNLIMITED).get(0).paused()).isFalse();
    }

    @Test
    void schedulesAreDescribedAndOperated() {
        queue.schedules().add(Schedule.of("nightly", MAIL, "x", Recurrence.cron("0 3 * * *")));
        assertThat(page("/schedules")).contains("at 03:00 every day", "nightly");
        assertThat(page("/schedules/one?name=nightly")).contains("03:00:00 UTC", "It has not been due yet");
        assertThat(press("/schedules", "/schedules/run", Map.of("schedule", "nightly")))
                .contains("is enqueued");
        assertThat(queue.admin().jobs().list(JobFilter.ALL)).hasSize(1);
        press("/schedules", "/schedules/pause", Map.of("schedule", "nightly"));
        assertThat(queue.schedules().find("nightly").orElseThrow().pausedAt()).isNotNull();
        press("/schedules", "/schedules/resume", Map.of("schedule", "nightly"));
        press("/schedules", "/schedules/change", Map.of("schedule", "nightly", "recurrence", "every PT5M"));
        assertThat(queue.schedules().find("nightly").orElseThrow().text()).isEqualTo("every PT5M");
        assertThat(page("/schedules/one?name=nightly")).contains("by hand", "every 5 minutes");
    }

    @Test
    void limitsAreSetAndJobsHeldBack() {
        press(
                "/limits",
                "/limits/set",
                Map.of("of", "kind", "name", "mail.send", "atOnce", "3", "starts", "10", "per", "PT1M"));
        Limit limit = queue.limits().list().get(0).limit();
        assertThat(limit).isEqualTo(Limit.kind("mail.send").atOnce(3).rate(10, Duration.ofMinutes(1)));
        press(
                "/limits",
                "/limits/pause",
                Map.of("of", "kind", "name", "mail.send", "for", "PT10M", "reason", "repairs"));
        queue.limits().set(Limit.queue("mail").maxWaiting(5_000));
        assertThat(page("/limits"))
                .contains("repairs", "10 in 1 min", "<td class=\"n\" data-label=\"Waiting\">at most 5,000");
        assertThat(queue.limits().remove(Subject.queue("mail"))).isTrue();
        assertThat(page("/")).contains("the jobs of kind mail.send are paused until", "repairs");
        press("/limits", "/limits/resume", Map.of("of", "kind", "name", "mail.send"));
        press("/limits", "/limits/remove", Map.of("of", "kind", "name", "mail.send"));
        assertThat(queue.limits().list()).isEmpty();
    }

    @Test
    void workersAreShownWithTheirJobsAndPauseAndStop() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        long id = enqueue("x");
        try (Worker worker = Worker.on(queue)
                .queues("mail")
                .handle(MAIL, (payload, run) -> {
                    begun.countDown();
                    end.await();
                })
                .start()) {
            begun.await();
            await().atMost(Site.SOON)
                    .untilAsserted(() -> assertThat(page("/workers"))
                            .contains("works", "/jobs/" + id + "\"", "worker-" + worker.id()));
            press("/workers", "/workers/" + worker.id() + "/pause", Map.of());
            assertThat(command(worker.id())).isEqualTo(WorkerCommand.QUIET);
            press("/workers", "/workers/" + worker.id() + "/resume", Map.of());
            assertThat(command(worker.id())).isEqualTo(WorkerCommand.WORK);
            press("/workers", "/workers/" + worker.id() + "/stop", Map.of());
            assertThat(command(worker.id())).isEqualTo(WorkerCommand.STOP);
            end.countDown();
        }
    }

    private WorkerCommand command(long id) {
        return queue.admin().workers().list().stream()
                .filter(worker -> worker.id() == id)
                .map(WorkerInfo::command)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void reservedSlotsAreReleased() {
        Slot left = queue.slots().series("codes").numbers(100, 1).reserve();
        queue.slots().series("codes").numbers(100, 1).reserve().use();
        assertThat(page("/slots?series=codes")).contains("Gaps of codes", "100", "reserved", "Release");
        press("/slots?series=codes", "/slots/free", Map.of("series", "codes", "value", left.value()));
        assertThat(queue.slots().list().get(0).reserved()).isZero();
    }

    @Test
    void severalAndExcludedValuesSelectJobs() {
        long mail = enqueue("x");
        long other = queue.enqueue(new JobRequest("other", "{}", EnqueueOptions.DEFAULTS.queue("late")))
                .jobId();
        long third = queue.enqueue(new JobRequest("third", "{}", EnqueueOptions.DEFAULTS))
                .jobId();
        assertThat(page("/jobs?q=kind:other,third+-state:completed"))
                .contains("id=\"job-" + other + "\"", "id=\"job-" + third + "\"", "name=\"kind\" value=\"other,third\"")
                .contains("name=\"notState\" value=\"completed\"")
                .doesNotContain("id=\"job-" + mail + "\"");
        assertThat(site.get("/api/jobs?kind=other,third&notQueue=late,none&state=available,running")
                        .body())
                .contains("\"id\":" + third + ",")
                .doesNotContain("\"id\":" + other + ",", "\"id\":" + mail + ",");
        assertThat(site.get("/api/jobs?state=available,done").statusCode()).isEqualTo(400);
        assertThat(site.get("/api/jobs?kind=a,").body()).contains("empty value between its commas");
        assertThat(site.get("/api/jobs?notKind=,").statusCode()).isEqualTo(400);
        assertThat(page("/jobs/change?change=cancel&q=-kind:mail.send")).contains("2 jobs", "not kind");
        assertThat(site.send(
                                "POST",
                                "/api/jobs/change?change=cancel&notKind=mail.send&expected=2",
                                "",
                                "Pawl-Request",
                                "1")
                        .body())
                .contains("\"changed\":2");
        assertThat(job(mail).state()).isEqualTo(JobState.AVAILABLE);
        assertThat(job(other).state()).isEqualTo(JobState.CANCELLED);
    }

    /** Takes a sample as if it were due. */
    private void sample() throws Exception {
        site.execute("UPDATE pawl_sample SET taken_at = " + server().product().earlier("taken_at", 10));
        assertThat(queue.unwrap(Series.class).take("somebody")).isTrue();
    }

    @Test
    void runTimesAreChartedAndListedByKind() throws Exception {
        for (int i = 0; i < 3; i++) {
            sample();
            enqueue("x" + i);
            work(Outcome.completed());
        }
        sample();
        await().atMost(Site.SOON)
                .untilAsserted(
                        () -> assertThat(page("/")).contains("Run time: median now ", "; p99 now ", "Run times"));
        assertThat(page("/"))
                .containsPattern(
                        "href=\"/jobs\\?kind=mail.send\">mail.send</a></th><td class=\"n\" data-label=\"Runs\">3</td>");
        assertThat(site.get("/api/series").body())
                .containsPattern(
                        "\"runs\":\\[\\{\"kind\":\"mail.send\",\"runs\":1,\"median\":\"PT[^\"]+\",\"p99\":\"PT[^\"]+\"\\}");
    }

    @Test
    void longWaitsAndDiscardsNeedAttention() throws Exception {
        sample();
        enqueue("fail");
        queue.enqueue(MAIL, "fail", MAIL.defaults().maxAttempts(1));
        queue.enqueue(MAIL, "fail", MAIL.defaults().maxAttempts(1));
        work(Outcome.completed());
        queue.enqueue(new JobRequest(
                "other", "{}", EnqueueOptions.DEFAULTS.queue("late").delay(Duration.ofMinutes(5))));
        queue.enqueue(new JobRequest(
                "other", "{}", EnqueueOptions.DEFAULTS.queue("soon").delay(Duration.ofMinutes(15))));
        site.execute("UPDATE pawl_job SET available_at = available_at - " + seconds(1_200)
                + " WHERE queue IN ('late', 'soon')");
        // A sample leaves jobs that finished in the last two seconds to the next sample. A second sample here would
        // count the same jobs again, so their end is moved into the past instead.
        site.execute("UPDATE pawl_job_history SET finished_at = finished_at - " + seconds(3));
        sample();
        await().atMost(Site.SOON)
                .untilAsserted(() -> assertThat(page("/"))
                        .contains(
                                "2 jobs of queue mail were discarded in the last 24 hours",
                                "the oldest job of queue late has waited for 15 min")
                        .doesNotContain("the oldest job of queue soon"));
    }

    private String seconds(int length) {
        if (site.jdbcUrl().startsWith("jdbc:sqlite")) {
            return length + "000000";
        }
        return site.jdbcUrl().startsWith("jdbc:postgresql")
                ? "interval '" + length + " seconds'"
                : "INTERVAL " + length + " SECOND";
    }

    @Test
    void limitsAreShownWithTheirUsage() throws Exception {
        queue.limits().set(Limit.queue("mail").atOnce(3).maxWaiting(200).rate(1_000, Duration.ofMinutes(2)));
        queue.limits().set(Limit.keysOf("mail").atOnce(2).together(40));
        queue.limits().set(Limit.kind("mail.send").atOnce(7));
        queue.limits().set(Limit.queue("idle").maxWaiting(9));
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        try (Worker worker = Worker.on(queue)
                .queues("mail")
                .concurrency(2)
                .handle(MAIL, (payload, run) -> {
                    begun.countDown();
                    end.await();
                })
                .start()) {
            for (int i = 0; i < 6; i++) {
                enqueue("x" + i);
            }
            begun.await();
            assertThat(worker.isAlive()).isTrue();
            await().atMost(Site.SOON)
                    .untilAsserted(() -> assertThat(page("/queues"))
                            .contains(
                                    "<a href=\"/limits#limit-queue-mail\">at once</a> <meter min=\"0\" max=\"3\" value=\"2\"",
                                    "2 of 3",
                                    "<meter min=\"0\" max=\"200\" value=\"4\"",
                                    "4 of 200",
                                    "1,000 in 2 min",
                                    "<a href=\"/limits#limit-keys-mail\">each key at once</a> 2",
                                    "all keys together</a> 40",
                                    "<th scope=\"row\">kind mail.send</th>",
                                    "2 of 7 allocated",
                                    "<th scope=\"row\">queue idle</th>",
                                    "0 of 9"));
            assertThat(page("/limits")).contains("id=\"limit-queue-mail\"", "id=\"limit-keys-mail\"");
            end.countDown();
        }
    }

    /** One process takes all samples; charts come from the database and need no script. */
    @Test
    void chartsShowSamples() throws Exception {
        assertThat(page("/")).doesNotContain("<figure");
        enqueue("x");
        for (int i = 0; i < 4; i++) {
            assertThat(queue.unwrap(Series.class).take("somebody")).isTrue();
            enqueue("x" + i);
            site.execute(
                    "UPDATE pawl_sample SET taken_at = " + server().product().earlier("taken_at", 10));
        }
        site.execute("UPDATE pawl_leader SET held_until = NULL");
        await().atMost(Site.SOON)
                .untilAsserted(() -> assertThat(page("/"))
                        .contains(
                                "<svg viewBox=\"0 0 360 150\"",
                                "Waiting: now 4, at most 4",
                                "dy=\"3.5\">4</text>",
                                "Oldest waiting: "));
        assertThat(page("/queues")).contains("class=\"spark\"").containsPattern("growing, [1-6] a minute");
        assertThat(page("/?span=week")).contains("aria-current");
        assertThat(site.get("/?span=year").statusCode()).isEqualTo(400);
        assertThat(site.get("/api/series").body()).contains("\"queue\":\"mail\",\"available\":4");
        try (Dashboard sampling = Dashboard.on(queue).build()) {
            await().atMost(Site.SOON)
                    .until(() ->
                            queue.unwrap(Series.class).last(Duration.ofHours(1)).size() >= 5);
            assertThat(sampling.isOpen()).isTrue();
        }
    }

    /** A form contains all fields; untouched ones stay unchanged in the database. */
    @Test
    void onlyEditedFieldsAreChanged() {
        long id = queue.enqueue(new JobRequest("mail.send", "{\"to\":\"ada\",  \"n\":1}", EnqueueOptions.DEFAULTS))
                .jobId();
        press("/jobs/" + id, "/jobs/" + id + "/edit", fields(id, Map.of("priority", "7")));
        assertThat(job(id).payload()).isEqualTo("{\"to\":\"ada\",  \"n\":1}");
        assertThat(job(id).priority()).isEqualTo(7);
        Map<String, String> late = fields(id, Map.of("payload", "{\"to\": \"bob\"}"));
        queue.admin().jobs().edit(id, dev.pawl.admin.JobEdit.NOTHING.priority(3), "somebody else");
        press("/jobs/" + id, "/jobs/" + id + "/edit", late);
        assertThat(job(id).payload()).isEqualTo("{\"to\": \"bob\"}");
        assertThat(job(id).priority()).isEqualTo(3);
        assertThat(queue.admin().runs().log(id, Admin.UNLIMITED)).hasSize(3);

        long sealed = queue.enqueue(new JobRequest("mail.send", "AES:x9v/3w==", EnqueueOptions.DEFAULTS))
                .jobId();
        press("/jobs/" + sealed, "/jobs/" + sealed + "/edit", fields(sealed, Map.of("priority", "-5")));
        assertThat(job(sealed).payload()).isEqualTo("AES:x9v/3w==");
        assertThat(job(sealed).priority()).isEqualTo(-5);
        HttpResponse<String> nothing =
                site.submit("/jobs/" + id, "/jobs/" + id + "/edit", fields(id, Map.of("back", "/")));
        assertThat(nothing.statusCode()).isEqualTo(400);
        assertThat(nothing.body()).contains("nothing to change");
    }

    /** The fields of a job's form as a browser sends them, some of them edited. */
    private Map<String, String> fields(long id, Map<String, String> typed) {
        String page = page("/jobs/" + id);
        String form = page.substring(page.indexOf("/jobs/" + id + "/edit"));
        form = form.substring(0, form.indexOf("</form>"));
        Map<String, String> fields = new java.util.HashMap<>();
        var inputs = java.util.regex.Pattern.compile("name=\"(\\w+)\"[^>]*? value=\"([^\"]*)\"")
                .matcher(form);
        while (inputs.find()) {
            fields.put(inputs.group(1), inputs.group(2));
        }
        var text = java.util.regex.Pattern.compile("(?s)<textarea name=\"payload\"[^>]*>(.*?)</textarea>")
                .matcher(form);
        if (text.find()) {
            fields.put(
                    "payload",
                    text.group(1).replace("&#34;", "\"").replace("&amp;", "&").replace("\n", "\r\n"));
        }
        fields.putAll(typed);
        return fields;
    }

    @Test
    void batchesAreShownSealedAndCancelled() {
        Batch batch = queue.batch("the July letters").open();
        long job = batch.enqueue(MAIL, "x").jobId();
        Batch part = batch.batch("the part of A").open();
        String page = "/batches/" + batch.id();
        assertThat(page("/batches")).contains("the July letters", "open", page + "\"");
        assertThat(page(page)).contains("/jobs/" + job + "\"", "Seal", "the part of A", "0 %");
        assertThat(page("/batches/" + part.id())).contains("Part of", page + "\"");
        assertThat(page("/jobs/" + job)).contains(page + "\"");
        assertThat(press(page, page + "/seal", Map.of())).contains("is sealed");
        assertThat(press(page, page + "/seal", Map.of())).contains("was sealed already");
        assertThat(batch.info().orElseThrow().sealedAt()).isNotNull();
        press("/batches/" + part.id(), "/batches/" + part.id() + "/seal", Map.of());
        assertThat(press(page, page + "/cancel", Map.of())).contains("1 job(s)");
        assertThat(job(job).state()).isEqualTo(JobState.CANCELLED);
        await().atMost(Site.SOON).until(() -> batch.info().orElseThrow().isDone());
        assertThat(page(page)).contains("100 %").doesNotContain("Cancel its jobs");
        assertThat(site.get("/batches/999").statusCode()).isEqualTo(404);
        assertThat(site.get("/api/batches").body()).contains("\"name\":\"the July letters\"");
        assertThat(site.get("/api" + page).body()).contains("\"name\":\"the part of A\"");
        assertThat(site.get("/api" + page + "/jobs").body()).contains("\"id\":" + job);
    }

    @Test
    void pausedBatchesShowTheirPausedJobs() {
        Batch careful = queue.batch("careful").canary(1).open();
        careful.enqueueAll(MAIL, List.of("a", "b"));
        String page = "/batches/" + careful.id();
        assertThat(page(page)).contains("canary", "its batch has not released it");
        assertThat(page("/jobs")).contains("its batch has not released it");
        assertThat(site.get("/api/jobs").body()).contains("\"state\":\"paused\"");
        assertThat(press(page, page + "/pause", Map.of())).contains("is paused");
        assertThat(careful.info().orElseThrow().pausedAt()).isNotNull();
        assertThat(press(page, page + "/resume", Map.of())).contains("is resumed");
        assertThat(careful.info().orElseThrow().pausedAt()).isNull();
    }

    @Test
    void workflowsAreShownAsTreesAndCancelled() throws Exception {
        Workflow workflow = queue.workflow("order <4711>")
                .job("charge", MAIL, "fail", MAIL.defaults().maxAttempts(1))
                .job("pack", MAIL, "pack")
                .job("ship", MAIL, "ship")
                .after("charge", "pack")
                .then("thank", MAIL, "thank")
                .start();
        String page = "/workflows/" + workflow.id();
        assertThat(page("/workflows")).contains("order &lt;4711&gt;", "running", page + "\"");
        assertThat(page("/batches")).doesNotContain("order &lt;4711&gt;");
        assertThat(page(page))
                .contains("charge, pack", "node-pending", "depth-2", "0 %")
                .contains("Graph of its 4 nodes: 2 available, 2 pending", "ship after charge: if that fails, it waits");
        work(Outcome.completed());
        await().atMost(Site.SOON).until(() -> workflow.info().orElseThrow().isBlocked());
        WorkflowInfo info = workflow.info().orElseThrow();
        long charge = job(info, "charge");
        long ship = job(info, "ship");
        assertThat(page(page))
                .contains("Nothing in it can run", "node-blocked", "node-failed", "node-completed", "node-pending")
                .contains("/jobs/" + charge + "\"", "its only attempt failed")
                .contains("class=\"edge block stuck\"", "class=\"edge block met\"", "aria-label=\"charge: failed\"");
        assertThat(page("/jobs/" + ship)).contains(page + "\"", "Waits because");
        assertThat(page("/jobs")).contains("others of its workflow come first");
        assertThat(page("/batches/" + info.node("ship").orElseThrow().jobs().id()))
                .contains("Node of", page + "\"");
        assertThat(site.get("/api/workflows").body()).contains("\"name\":\"order ", "\"nodeCount\":4");
        assertThat(site.get("/api" + page).body())
                .contains("\"state\":\"blocked\"", "\"name\":\"thank\"", "\"node\":\"pack\"", "\"met\":true");
        assertThat(press(page, page + "/cancel", Map.of())).contains("2 job(s)");
        assertThat(job(ship).state()).isEqualTo(JobState.CANCELLED);
        assertThat(page(page)).contains("node-cancelled").doesNotContain("Cancel its jobs");
        assertThat(site.get("/workflows/999").statusCode()).isEqualTo(404);
        assertThat(site.get("/api/workflows/999").statusCode()).isEqualTo(404);
    }

    @Test
    void workflowsTooLargeToDrawAreCounted() {
        var builder = queue.workflow("large").job("first", MAIL, "x");
        for (int i = 0; i < 200; i++) {
            builder.job("part " + i, MAIL, "x").after("first");
        }
        Workflow workflow = builder.start();
        assertThat(page("/workflows/" + workflow.id()))
                .doesNotContain("class=\"graph\"")
                .contains("By level")
                .containsPattern(
                        "<th scope=\"row\">2</th><td class=\"n\" data-label=\"Nodes\">200</td><td data-label=\"States\">200 pending</td>")
                .contains("part 199");
    }

    private long job(WorkflowInfo workflow, String node) {
        long jobs = workflow.node(node).orElseThrow().jobs().id();
        return queue.batch(jobs).jobs(0, 1).get(0).id();
    }

    @Test
    void stepsAreShownAndSignalsAreSent() throws Exception {
        Signal<String> paid = Signal.of("paid", String.class);
        long id = enqueue("order");
        JobHandler<String> handler = (payload, run) -> {
            String code = run.step("reserve", String.class, () -> "seat 7");
            run.result(code + " " + run.steps().await(paid, Duration.ofDays(3)).orElse("nothing"));
        };
        String page = "/jobs/" + id;
        try (Worker worker =
                Worker.on(queue).queues("mail").handle(MAIL, handler).start()) {
            assertThat(worker.isAlive()).isTrue();
            await().atMost(Site.SOON)
                    .untilAsserted(() -> assertThat(page(page))
                            .contains(
                                    "Steps, signals and sleeps",
                                    "reserve",
                                    "seat 7",
                                    "paid",
                                    "waiting",
                                    "Run again from here"));
            assertThat(press(page, page + "/signal", Map.of("name", "paid", "value", "\"twice\"")))
                    .contains("is delivered");
            await().atMost(Site.SOON).until(() -> job(id).state() == JobState.COMPLETED);
        }
        assertThat(page(page)).contains("Result", "seat 7 twice");
        assertThat(site.get("/api" + page + "/result").body()).isEqualTo("{\"result\":\"seat 7 twice\"}");
        assertThat(site.get("/api" + page + "/steps").body()).contains("\"name\":\"reserve\"");
        assertThat(press(page, page + "/signal", Map.of("name", "paid"))).contains("had already finished");
        assertThat(press(page, page + "/retry", Map.of("step", "reserve"))).contains("available now");
        assertThat(queue.admin().jobs().steps(id)).noneMatch(step -> step.name().equals("reserve"));
    }

    @Test
    void stackTracesAreReportedOnRequest() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        long id = enqueue("secret");
        String page = "/jobs/" + id;
        assertThat(page(page)).doesNotContain("Show its stack");
        assertThat(site.get("/api" + page + "/stack").statusCode()).isEqualTo(404);
        try (Worker worker = Worker.on(queue)
                .queues("mail")
                .handle(MAIL, (payload, run) -> end.await())
                .start()) {
            assertThat(worker.isAlive()).isTrue();
            await().atMost(Site.SOON).until(() -> job(id).state() == JobState.RUNNING);
            assertThat(press(page, page + "/stack", Map.of())).contains("is requested from its worker");
            await().atMost(Site.SOON)
                    .untilAsserted(() -> assertThat(page(page))
                            .contains("Stack trace of its handler", "WAITING", "CountDownLatch.await"));
            assertThat(site.get("/api" + page + "/stack").body())
                    .contains("\"attempt\":1", "CountDownLatch.await")
                    .doesNotContain("secret");
            end.countDown();
            await().atMost(Site.SOON).until(() -> job(id).state() == JobState.COMPLETED);
        }
        assertThat(page(page)).contains("CountDownLatch.await").doesNotContain("Show its stack");
        assertThat(press("/jobs/new", page + "/stack", Map.of())).contains("is not running");
    }

    @Test
    void managersAreShownWithTheirWorkersAndPaused() throws Exception {
        try (Worker manager = Worker.on(queue)
                .name("manager-1")
                .queues("mail")
                .handle(MAIL, (payload, run) -> {})
                .start()) {
            String now = switch (server().name()) {
                case "postgresql" -> "now()";
                case "sqlite" -> "CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000";
                default -> "UTC_TIMESTAMP(6)";
            };
            site.execute(
                    "INSERT INTO pawl_remote_worker (manager_id, url, problem, capacity, running, kinds, checked_at)"
                            + " VALUES (" + manager.id()
                            + ", 'http://worker-1:8081', 'it is not running', 4, 1, '[\"mail.send\"]', "
                            + now + ")");
            await().atMost(Site.SOON)
                    .untilAsserted(() -> assertThat(page("/managers"))
                            .contains("manager-1", "http://worker-1:8081", "it is not running", "1 of 4", "Pause"));
            press("/managers", "/workers/" + manager.id() + "/pause", Map.of());
            assertThat(command(manager.id())).isEqualTo(WorkerCommand.QUIET);
            assertThat(page("/managers")).contains("Resume");
        }
        assertThat(site.get("/api/assignments").body()).isEqualTo("[]");
    }

    @Test
    void tableSizesAndSuggestionsAreShown() {
        queue.enqueue(MAIL, "x", MAIL.defaults().tags("urgent").key("ada"));
        assertThat(page("/database")).contains("Sizes of the tables", "job_history", "Dead rows");
        assertThat(site.get("/api/tables").body()).contains("job_history", "\"bytes\":");
        assertThat(page("/jobs"))
                .contains("<option value=\"urgent\">", "<option value=\"ada\">", "<option value=\"mail.send\">");
    }
}
