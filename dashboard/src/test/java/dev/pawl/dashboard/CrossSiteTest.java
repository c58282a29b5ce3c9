package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that other web sites make a browser on this machine send to a dashboard that requires no login. */
class CrossSiteTest {
    private static final String[] IMAGE = {
        "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"
    };
    private static final String[] LINK = {
        "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
    };
    private static final String[] OWN = {
        "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
    };

    private final Site site = Site.onSqlite(options -> options);

    @AfterEach
    void close() {
        site.close();
    }

    /** Images, frames and scripts of other sites cost the database nothing; links to pages work. */
    @Test
    void readsFromOtherSitesAreRefused() {
        for (String path : List.of("/api/queues", "/api/queues?exact=true", "/api/jobs?text=x", "/jobs?text=x", "/")) {
            HttpResponse<String> refused = site.get(path, IMAGE);
            assertThat(refused.statusCode()).as(path).isEqualTo(403);
            assertThat(refused.body())
                    .as(path)
                    .contains("another web site has sent this", "Sec-Fetch-Site: cross-site");
            assertThat(site.get(path, OWN).statusCode()).as(path).isEqualTo(200);
            assertThat(site.get(path).statusCode()).as("a program: " + path).isEqualTo(200);
        }
        assertThat(site.get("/queues", LINK).statusCode()).isEqualTo(200);
        assertThat(site.get("/api/queues", LINK).statusCode()).isEqualTo(403);
        assertThat(site.get("/api/queues", "Referer", "https://evil.example/x").statusCode())
                .as("of a browser that does not know the header")
                .isEqualTo(403);
        assertThat(site.get("/api/queues", "Referer", site.url() + "/queues").statusCode())
                .isEqualTo(200);
        assertThat(site.get("/live", IMAGE).statusCode()).isEqualTo(200);
    }

    /** Not even a link of another site leads to a full count. */
    @Test
    void exactCountsRequireTheSameOrigin() {
        site.queue().enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS));
        String count = "/jobs/change?change=cancel&count=exact";
        assertThat(site.get(count, LINK).statusCode()).isEqualTo(403);
        assertThat(site.get(count, OWN).body()).contains("1 job");
    }

    /** Behind a proxy that changes Host, the message names both headers and the remedy. */
    @Test
    void aRefusalSaysWhichHeadersDiffer() {
        String browser = Site.setCookie(site.get("/queues"), "pawl_browser");
        HttpResponse<String> refused = site.send(
                "POST",
                "/queues/pause",
                Site.form(Map.of("queue", "mail")),
                "Content-Type",
                "application/x-www-form-urlencoded",
                "Cookie",
                browser,
                "Origin",
                "https://pawl.example.com",
                "X-Forwarded-Host",
                "pawl.example.com");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body())
                .contains(
                        "https://pawl.example.com (header Origin)",
                        "localhost:" + site.port() + " (header Host)",
                        "X-Forwarded-Host says pawl.example.com and is not used",
                        "proxy_set_header Host",
                        "--host NAME");
        assertThat(site.get("/queues", "Host", "pawl.example.com").body())
                .contains("not known by the name pawl.example.com (header Host)");
    }

    /** Browsers withhold the cookie from it; a new one would make the forms of open pages invalid. */
    @Test
    void postsOfOtherSitesDoNotReplaceTheCookieOfTheBrowser() {
        try (Site guarded = Site.onSqlite(options -> options.token(Role.OPERATOR, "a-token-of-operators"))) {
            for (Site each : List.of(site, guarded)) {
                for (String path : List.of("/queues/pause", "/login", "/jobs")) {
                    HttpResponse<String> refused = each.send(
                            "POST", path, "", "Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example");
                    assertThat(refused.statusCode()).as(path).isIn(303, 403, 404);
                    assertThat(refused.headers().allValues("set-cookie"))
                            .as(path)
                            .isEmpty();
                }
                assertThat(each.get("/queues", LINK).headers().allValues("set-cookie"))
                        .as("a new browser that follows a link")
                        .singleElement()
                        .asString()
                        .startsWith("pawl_browser=")
                        .contains("SameSite=Lax");
            }
        }
    }

    @Test
    void wrongTokensAreThrottled() {
        try (Site guarded = Site.onSqlite(options -> options.token(Role.OPERATOR, "a-token-of-operators"))) {
            long before = System.nanoTime();
            assertThat(guarded.get("/api/queues", "Authorization", "Bearer a-token-of-no-operator")
                            .statusCode())
                    .isEqualTo(401);
            assertThat(System.nanoTime() - before).isGreaterThan(400_000_000L);
        }
    }
}
