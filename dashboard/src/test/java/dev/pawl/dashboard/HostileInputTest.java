package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.Worker;
import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Handlers;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.limit.Subject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hostile values in jobs and requests stay text. */
class HostileInputTest {
    private static final List<String> TEXTS = List.of(
            "<script>alert(1)</script>",
            "\"><img src=x onerror=alert(1)>",
            "' onmouseover='alert(1)",
            "javascript:alert(1)",
            "</textarea></pre><script>alert(1)</script>",
            "${7*7} @if(true) {{7*7}} &lt;b&gt;",
            "'; DROP TABLE pawl_job; --",
            "\u202Ereversed \uD83D\uDE00 \u0007");

    /** An unescaped tag: a quoted value may contain anything but its quote. */
    private static final Pattern TAG = Pattern.compile("<[a-zA-Z/!](?:[^\"'>]|\"[^\"]*\"|'[^']*')*>");

    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    private static String url(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String harmless(String path) {
        HttpResponse<String> page = site.get(path);
        String body = page.body();
        assertThat(page.statusCode()).as(path).isLessThan(500);
        TAG.matcher(body).results().map(MatchResult::group).forEach(tag -> {
            assertThat(tag)
                    .as(path)
                    .doesNotStartWith("<img")
                    .doesNotContainPattern("(href|src|action|hx-get)=\"javascript:");
            assertThat(tag.replaceAll("\"[^\"]*\"", "")).as(path).doesNotContainPattern("(?i)\\son\\w+|'|style=");
            assertThat(tag.startsWith("<script") && !tag.startsWith("<script src=\"/assets/"))
                    .as(path + tag)
                    .isFalse();
        });
        assertThat(page.headers().firstValue("content-security-policy").orElse(""))
                .contains("script-src 'self'")
                .doesNotContain("unsafe");
        return body;
    }

    @Test
    void jobContentsAreShownButNotExecuted() throws Exception {
        JobType<String> type = JobType.of("mail.send", String.class);
        for (String text : TEXTS) {
            String plain = text.replaceAll("\\p{Cntrl}", "");
            site.queue()
                    .enqueue(
                            type,
                            text,
                            EnqueueOptions.DEFAULTS
                                    .maxAttempts(1)
                                    .tags(plain.strip())
                                    .key(plain.strip())
                                    .header("x-note", plain));
            site.queue()
                    .enqueue(
                            type,
                            text + " unique",
                            EnqueueOptions.DEFAULTS.delay(Duration.ofHours(1)).uniqueKey(plain.strip()));
        }
        site.queue().limits().pause(Subject.kind("other"), Duration.ofMinutes(5), TEXTS.get(0));
        try (Worker worker = Worker.on(site.queue())
                .name(TEXTS.get(0))
                .handle(type, Handlers.completing((payload, run) -> {
                    run.log(payload);
                    if (payload.length() % 2 == 0) {
                        throw new IllegalStateException(payload);
                    }
                    return Outcome.discard(payload);
                }))
                .start()) {
            worker.awaitIdle(Duration.ofSeconds(20));
        }
        for (var job : site.queue().admin().jobs().list(JobFilter.ALL)) {
            String page = harmless("/jobs/" + job.id());
            assertThat(page).contains("History");
            harmless("/jobs/new?copy=" + job.id());
            HttpResponse<String> raw = site.get("/jobs/" + job.id() + "/payload");
            assertThat(raw.headers().firstValue("content-type")).hasValue("text/plain;charset=utf-8");
            assertThat(raw.headers().firstValue("x-content-type-options")).hasValue("nosniff");
            assertThat(site.get("/api/jobs/" + job.id()).body()).doesNotContain("<script>alert(1)</script>\",\"tags");
        }
        for (String path : List.of("/", "/jobs", "/failures", "/workers", "/limits", "/queues", "/database")) {
            harmless(path);
        }
        assertThat(harmless("/failures")).contains("&lt;script&gt;");
        assertThat(site.queue().admin().jobs().list(JobFilter.ALL)).hasSize(2 * TEXTS.size());
    }

    @Test
    void searchTermsAreOnlySearchedFor() {
        site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS));
        for (String text : TEXTS) {
            for (String name : List.of(
                    "state", "queue", "kind", "tag", "key", "uniqueKey", "text", "from", "until", "before", "limit")) {
                harmless("/jobs?" + name + "=" + url(text));
                harmless("/jobs/change?change=cancel&" + name + "=" + url(text));
                for (String line : List.of(text, name + ":" + text, name + ":\"" + text, FilterText.word(name, text))) {
                    harmless("/jobs?q=" + url(line));
                    harmless("/jobs/suggest?q=" + url(line));
                    harmless("/jobs/change?change=cancel&q=" + url(line));
                    assertThat(site.get("/api/jobs?q=" + url(line)).statusCode())
                            .isLessThan(500);
                }
                assertThat(site.get("/api/jobs?" + name + "=" + url(text)).statusCode())
                        .isLessThan(500);
            }
            for (String path : List.of(
                    "/jobs/new?kind=",
                    "/jobs/new?copy=",
                    "/schedules/one?name=",
                    "/slots?series=",
                    "/jobs/change?change=",
                    "/jobs/go?id=",
                    "/nothing?x=")) {
                harmless(path + url(text));
            }
            harmless("/" + url(text).replace("+", "%20"));
        }
        assertThat(site.queue().admin().jobs().list(JobFilter.ALL)).hasSize(1);
    }

    @Test
    void malformedRequestsAreAnswered() {
        for (String path : List.of(
                "/jobs?queue=%00",
                "/jobs?before=1e9",
                "/jobs?before=99999999999999999999",
                "/jobs?limit=0",
                "/jobs?limit=1000000",
                "/jobs/99999999999999999",
                "/jobs/0",
                "/jobs?" + "a=1&".repeat(300),
                "/jobs?from=yesterday",
                "/jobs/change",
                "/jobs/change?change=move",
                "/jobs/change?change=prioritize&toPriority=x",
                "/schedules/one")) {
            HttpResponse<String> page = site.get(path);
            assertThat(page.statusCode()).as(path).isIn(400, 404);
            assertThat(page.body()).as(path).contains("<h1>");
        }
        for (String path : List.of(
                "/assets/../openapi.yaml",
                "/assets/%2e%2e/openapi.yaml",
                "/assets/",
                "/assets//etc/passwd",
                "/assets/htmx-LICENSE.txt",
                "//evil.example",
                "/jobs/1/2/3",
                "/api",
                "/jobs/")) {
            assertThat(site.get(path).statusCode()).as(path).isIn(404, 400);
        }
        assertThat(raw("GET /jobs?queue=% HTTP/1.1\r\nHost: localhost\r\n\r\n")).contains(" 400 ");
        assertThat(raw("GET /jobs?queue=%25%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .contains(" 400 ");
        assertThat(raw("GET /jobs HTTP/1.1\r\n\r\n")).contains(" 421 "); // no Host
        assertThat(site.send("TRACE", "/jobs", "").statusCode()).isIn(405, 403, 501);
        HttpResponse<String> large =
                site.send("POST", "/api/jobs?kind=x", "x".repeat(Request.MAX_BYTES + 1), "Pawl-Request", "1");
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(large.body()).startsWith("{\"error\":");
    }

    /** {@return the first line of the response} */
    private String raw(String request) {
        try (Socket socket = new Socket("localhost", site.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            return String.valueOf(reader.readLine());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A page repeats its address, also in the form of each row. */
    @Test
    void longAddressesMakeNoLargePages() {
        for (int i = 0; i < 50; i++) {
            site.queue().admin().queues().pause("queue-" + i);
        }
        String longest = "x=" + "y".repeat(16_000);
        assertThat(site.get("/queues?" + longest).body())
                .hasSizeLessThan(site.get("/queues").body().length() + 3 * longest.length());

        HttpResponse<String> page = site.get("/jobs?q=" + "y".repeat(100_000));
        assertThat(page.statusCode()).isEqualTo(414);
        assertThat(page.body()).contains("<h1>", "the address is longer").hasSizeLessThan(5_000);
        HttpResponse<String> call = site.get("/api/jobs?q=" + "y".repeat(100_000));
        assertThat(call.statusCode()).isEqualTo(414);
        assertThat(call.body()).startsWith("{\"error\":\"the address is longer");
        assertThat(site.get("/" + "y".repeat(100_000)).statusCode()).isEqualTo(414);
    }

    /** The page to return to is local, and no header can be injected. */
    @Test
    void redirectsStayLocal() {
        for (String back : List.of(
                "//evil.example",
                "http://evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "/x\r\nSet-Cookie: a=b",
                "javascript:alert(1)",
                "/ x",
                "/%0d%0aX: y\n")) {
            HttpResponse<String> done = site.submit("/queues", "/queues/pause", Map.of("queue", "mail", "back", back));
            assertThat(done.statusCode()).as(back).isEqualTo(303);
            assertThat(done.headers().firstValue("location")).as(back).hasValue("/");
            assertThat(done.headers().allValues("set-cookie")).as(back).noneMatch(cookie -> cookie.startsWith("a="));
        }
    }

    /** The message of a change returns in a cookie, which any program on the machine may have set. */
    @Test
    void messagesAreText() {
        HttpResponse<String> page = site.get("/queues", "Cookie", "pawl_said=" + url("+<script>alert(1)</script>"));
        assertThat(page.body()).contains("&lt;script&gt;").doesNotContain("<script>");
        assertThat(page.headers().allValues("set-cookie")).anyMatch(cookie -> cookie.startsWith("pawl_said=;"));
    }

    @Test
    void slowSendersDoNotBlockOthers() throws IOException {
        try (Socket slow = new Socket("localhost", site.port())) {
            slow.getOutputStream()
                    .write("POST /api/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx"
                            .getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().flush();
            assertThat(site.get("/live").statusCode()).isEqualTo(200);
        }
    }
}
