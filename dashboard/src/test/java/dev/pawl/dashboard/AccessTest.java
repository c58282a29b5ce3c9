package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.admin.Admin;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccessTest {
    private static final String TOKEN = "a-token-of-operators";
    private static final String READ_TOKEN = "a-token-of-readers";

    private static Site withTokens() {
        return Site.onSqlite(options -> options.token(Role.OPERATOR, TOKEN).token(Role.READ_ONLY, READ_TOKEN));
    }

    @Test
    void browsersLogInAndOut() {
        try (Site site = withTokens()) {
            assertThat(site.get("/").headers().firstValue("location")).hasValue("/login");
            assertThat(site.get("/login").body()).contains("Log in").doesNotContain("Queues");
            HttpResponse<String> wrong = site.submit("/login", "/login", Map.of("token", "not-the-token-at-all"));
            assertThat(wrong.statusCode()).isEqualTo(403);
            assertThat(wrong.headers().allValues("set-cookie")).noneMatch(cookie -> cookie.contains("session"));

            HttpResponse<String> in = site.submit("/login", "/login", Map.of("token", TOKEN));
            assertThat(in.headers().allValues("set-cookie"))
                    .anyMatch(cookie -> cookie.startsWith("pawl_session=")
                            && cookie.contains("HttpOnly")
                            && cookie.contains("SameSite=Lax"));
            String session = Site.setCookie(in, "pawl_session");
            assertThat(site.get("/jobs", "Cookie", session).body()).contains("operator", "Log out");
            assertThat(site.submit("/queues", "/queues/pause", Map.of("queue", "mail"), session)
                            .statusCode())
                    .isEqualTo(303);
            assertThat(site.queue().admin().queues().list(Admin.UNLIMITED)).hasSize(1);

            String forged = session.replaceFirst("OPERATOR\\.\\d+", "OPERATOR.99999999999");
            assertThat(site.get("/jobs", "Cookie", forged).statusCode()).isEqualTo(303);
            HttpResponse<String> out = site.submit("/queues", "/login", Map.of("leave", "yes"), session);
            assertThat(out.headers().allValues("set-cookie")).anyMatch(cookie -> cookie.startsWith("pawl_session=;"));
        }
    }

    @Test
    void loginsReturnToTheRequestedPage() {
        try (Site site = withTokens()) {
            String page = "/jobs?q=kind%3Amail.send";
            String login = site.get(page).headers().firstValue("location").orElseThrow();
            assertThat(login).isEqualTo("/login?back=%2Fjobs%3Fq%3Dkind%253Amail.send");
            assertThat(site.submit(login, login, Map.of("token", "not-the-token-at-all"))
                            .body())
                    .contains("action=\"" + login + "\"");
            HttpResponse<String> in = site.submit(login, login, Map.of("token", TOKEN));
            assertThat(in.headers().firstValue("location")).hasValue(page);
            String session = Site.setCookie(in, "pawl_session");
            HttpResponse<String> out = site.submit(page, "/login", Map.of("leave", "yes"), session);
            assertThat(out.headers().firstValue("location")).hasValue("/");

            String longPage = "/jobs?q=" + "x".repeat(2_000);
            assertThat(site.get(longPage).headers().firstValue("location")).hasValue("/login");
        }
    }

    /** Anyone can make a link to the login. */
    @Test
    void loginsLeadToNoOtherSiteAndToNoExactCount() {
        try (Site site = withTokens()) {
            for (String back : List.of(
                    "//evil.example",
                    "https://evil.example",
                    "/\\evil.example",
                    "/jobs\r\nSet-Cookie: a=b",
                    "/jobs/change?change=cancel&count=exact",
                    "/jobs/change?change=cancel&c%6Funt=exact",
                    "/jobs?count=exact#x",
                    "/jobs?text=100%",
                    "/databases/other/api/failures",
                    "/api/queues")) {
                String login = "/login?" + Site.form(Map.of("back", back));
                HttpResponse<String> in = site.submit(login, login, Map.of("token", TOKEN));
                assertThat(in.statusCode()).as(back).isEqualTo(303);
                assertThat(in.headers().firstValue("location")).as(back).hasValue("/");
            }
        }
    }

    @Test
    void keptCookiesAreRefusedAfterLogout() {
        try (Site site = withTokens()) {
            String left = Site.setCookie(site.submit("/login", "/login", Map.of("token", TOKEN)), "pawl_session");
            String other = Site.setCookie(site.submit("/login", "/login", Map.of("token", TOKEN)), "pawl_session");
            assertThat(site.get("/jobs", "Cookie", left).statusCode()).isEqualTo(200);
            site.submit("/queues", "/login", Map.of("leave", "yes"), left);
            assertThat(site.get("/jobs", "Cookie", left).headers().firstValue("location"))
                    .hasValue("/login?back=%2Fjobs");
            assertThat(site.get("/api/queues", "Cookie", left).statusCode()).isEqualTo(401);
            assertThat(site.get("/jobs", "Cookie", other).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void readersCannotBecomeOperators() {
        try (Site site = withTokens()) {
            String session =
                    Site.setCookie(site.submit("/login", "/login", Map.of("token", READ_TOKEN)), "pawl_session");
            assertThat(site.get("/", "Cookie", session).body()).contains("read-only");
            assertThat(site.get("/", "Cookie", session.replace("READ_ONLY", "OPERATOR"))
                            .statusCode())
                    .isEqualTo(303);
        }
    }

    @Test
    void programsAuthenticateByTokenOnly() {
        try (Site site = withTokens()) {
            assertThat(site.get("/api/queues").statusCode()).isEqualTo(401);
            assertThat(site.get("/api/queues", "Authorization", "Bearer wrong").statusCode())
                    .isEqualTo(401);
            assertThat(site.get("/api/queues", "Authorization", "Basic " + TOKEN)
                            .statusCode())
                    .isEqualTo(401);
            assertThat(site.get("/api/queues", "Authorization", "Bearer " + READ_TOKEN)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(site.get("/live").body()).isEqualTo("live\n");
            assertThat(site.get("/ready").body()).isEqualTo("ready\n");
            assertThat(site.get("/assets/dashboard.css").statusCode()).isEqualTo(200);
        }
    }

    /** Another site's name is pointed at this machine. */
    @Test
    void withoutATokenOnlyLocalNamesAreAnswered() {
        try (Site site = Site.onSqlite(options -> options)) {
            for (String host : new String[] {
                "evil.example", "evil.example:" + site.port(), "localhost.evil.example", "127.0.0.1.evil.example"
            }) {
                assertThat(site.get("/jobs", "Host", host).statusCode())
                        .as(host)
                        .isEqualTo(421);
                assertThat(site.get("/api/jobs", "Host", host).statusCode())
                        .as(host)
                        .isEqualTo(421);
            }
            for (String host : new String[] {"localhost", "127.0.0.1:" + site.port(), "[::1]:" + site.port()}) {
                assertThat(site.get("/jobs", "Host", host).statusCode())
                        .as(host)
                        .isEqualTo(200);
            }
        }
        try (Site site =
                Site.onSqlite(options -> options.hosts("pawl.example.com").token(Role.OPERATOR, TOKEN))) {
            assertThat(site.get("/login", "Host", "pawl.example.com").statusCode())
                    .isEqualTo(200);
            assertThat(site.get("/jobs", "Host", "other.example.com").statusCode())
                    .isEqualTo(421);
        }
    }

    @Test
    void withoutATokenItListensLocallyOnly() {
        try (Site site = Site.onSqlite(options -> options)) {
            Dashboard behindAProxy =
                    Dashboard.on(site.queue()).hosts("pawl.example.com").build();
            assertThatThrownBy(() -> DashboardServer.start(behindAProxy, new InetSocketAddress("localhost", 0), ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("name no hosts");
            assertThatThrownBy(() -> DashboardServer.start(site.dashboard(), new InetSocketAddress("0.0.0.0", 0), ""))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("for this machine only");
            assertThatThrownBy(
                            () -> DashboardServer.start(site.dashboard(), new InetSocketAddress("localhost", 0), "x/"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("prefix");
        }
    }

    @Test
    void tokensAreLongAndDiffer() {
        try (Site site = withTokens()) {
            assertThatThrownBy(() -> Dashboard.on(site.queue()).token(Role.OPERATOR, "short"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least 16");
            assertThatThrownBy(() -> Dashboard.on(site.queue())
                            .token(Role.OPERATOR, TOKEN)
                            .token(Role.READ_ONLY, TOKEN))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the same token");
        }
    }

    /** A proxy may require its own password; the browser then sends it with each request. */
    @Test
    void proxyPasswordsAreIgnored() {
        try (Site site = withTokens()) {
            String session = Site.setCookie(site.submit("/login", "/login", Map.of("token", TOKEN)), "pawl_session");
            String basic = "Basic YWRhOnNlY3JldA==";
            assertThat(site.get("/jobs", "Cookie", session, "Authorization", basic)
                            .statusCode())
                    .isEqualTo(200);
            // The browser adds both headers by itself, regardless of the page that caused the request.
            assertThat(site.send("POST", "/api/queues/pause?queue=mail", "", "Cookie", session, "Authorization", basic)
                            .statusCode())
                    .isEqualTo(403);
            assertThat(site.queue().admin().queues().list(Admin.UNLIMITED)).isEmpty();
        }
    }

    @Test
    void refusalPagesOfferLogout() {
        try (Site site = withTokens()) {
            HttpResponse<String> in = site.submit("/login", "/login", Map.of("token", TOKEN));
            String session = Site.setCookie(in, "pawl_session");
            String browser = Site.setCookie(site.get("/jobs", "Cookie", session), "pawl_browser");
            HttpResponse<String> missing = site.get("/jobs/999", "Cookie", session + "; " + browser);
            assertThat(missing.statusCode()).isEqualTo(404);
            String csrf = missing.body().replaceFirst("(?s).*name=\"csrf\" value=\"([^\"]*)\".*", "$1");
            HttpResponse<String> out = site.send(
                    "POST",
                    "/login",
                    Site.form(Map.of("leave", "yes", "csrf", csrf)),
                    "Content-Type",
                    "application/x-www-form-urlencoded",
                    "Cookie",
                    session + "; " + browser);
            assertThat(out.statusCode()).isEqualTo(303);
        }
    }

    /** The path of a form cannot be loaded with GET, so a page with the reason for a refusal does not refresh itself. */
    @Test
    void refusalReasonsStay() {
        try (Site site = Site.onSqlite(options -> options)) {
            site.queue().enqueue(new dev.pawl.api.JobRequest("mail.send", "{}", dev.pawl.api.EnqueueOptions.DEFAULTS));
            HttpResponse<String> refused = site.submit("/jobs/1", "/jobs/1/edit", Map.of("priority", "much"));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("is not a whole number").doesNotContain("hx-get");
        }
    }

    @Test
    void cookiesAreForHttpsOnlyIfATrustedProxySaysSo() {
        try (Site site =
                Site.onSqlite(options -> options.token(Role.OPERATOR, TOKEN).proxies("127.0.0.1", "::1"))) {
            assertThat(site.get("/login", "X-Forwarded-Proto", "https")
                            .headers()
                            .allValues("set-cookie"))
                    .isNotEmpty()
                    .allMatch(cookie -> cookie.contains("; Secure"));
            assertThat(site.get("/login").headers().allValues("set-cookie"))
                    .isNotEmpty()
                    .noneMatch(cookie -> cookie.contains("Secure"));
        }
        try (Site site =
                Site.onSqlite(options -> options.token(Role.OPERATOR, TOKEN).proxies("192.0.2.1"))) {
            assertThat(site.get("/login", "X-Forwarded-Proto", "https")
                            .headers()
                            .allValues("set-cookie"))
                    .isNotEmpty()
                    .noneMatch(cookie -> cookie.contains("Secure"));
            assertThatThrownBy(() -> Dashboard.on(site.queue()).proxies("proxy.example.com"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("address");
        }
    }

    /** A stolen session does not help to guess the token, and other processes refuse the session unless they share a secret. */
    @Test
    void sessionsBelongToOneProcessUnlessASecretIsShared() {
        String secret = "a-secret-of-all-processes";
        try (Site one = withTokens();
                Site other = withTokens();
                Site first = Site.onSqlite(
                        options -> options.token(Role.OPERATOR, TOKEN).secret(secret));
                Site second = Site.onSqlite(
                        options -> options.token(Role.OPERATOR, TOKEN).secret(secret));
                Site replaced = Site.onSqlite(options -> options.token(Role.OPERATOR, "another-token-of-operators")
                        .secret(secret))) {
            String session = Site.setCookie(one.submit("/login", "/login", Map.of("token", TOKEN)), "pawl_session");
            assertThat(one.get("/jobs", "Cookie", session).statusCode()).isEqualTo(200);
            assertThat(other.get("/jobs", "Cookie", session).statusCode()).isEqualTo(303);
            String shared = Site.setCookie(first.submit("/login", "/login", Map.of("token", TOKEN)), "pawl_session");
            assertThat(second.get("/jobs", "Cookie", shared).statusCode()).isEqualTo(200);
            assertThat(replaced.get("/jobs", "Cookie", shared).statusCode()).isEqualTo(303);
        }
    }
}
