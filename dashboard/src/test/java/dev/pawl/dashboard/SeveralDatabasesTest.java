package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One dashboard of two databases, in each the queue {@code mail}. */
class SeveralDatabasesTest {
    private static final String TOKEN = "a-token-of-operators";

    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(3);
    private final JobQueue invoices = JobQueue.open(pool);
    private Site site = new Site(
            TestServers.sqlite(), "/pawl", options -> options.name("orders").database("invoices", invoices));

    @BeforeEach
    void enqueue() {
        for (JobQueue queue : new JobQueue[] {site.queue(), invoices, invoices}) {
            queue.enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue("mail")));
        }
    }

    @AfterEach
    void close() {
        site.close();
        invoices.close();
        pool.close();
        database.close();
    }

    @Test
    void eachDatabaseHasItsOwnPagesAndApi() {
        assertThat(site.get("/queues").body())
                .contains(
                        "<title>Queues · orders · Pawl",
                        "href=\"/pawl/jobs\"",
                        "href=\"/pawl/databases/invoices/queues\"");
        assertThat(site.get("/databases/invoices/queues").body())
                .contains(
                        "<title>Queues · invoices · Pawl",
                        "href=\"/pawl/databases/invoices/jobs\"",
                        "<li><a href=\"/pawl/queues\">orders</a></li>",
                        "href=\"/pawl/databases/invoices/assets/dashboard.css\"")
                .doesNotContain("\"/pawl/assets/", "\"/pawl/jobs");
        assertThat(site.get("/api/queues").body()).contains("\"available\":1");
        assertThat(site.get("/databases/invoices/api/queues").body()).contains("\"available\":2");
        assertThat(site.get("/databases/invoices").statusCode()).isEqualTo(200);
        assertThat(site.get("/databases/invoices/ready").statusCode()).isEqualTo(200);
        for (String unknown :
                new String[] {"/databases/nothing/queues", "/databases/invoices2/", "/databases/orders/"}) {
            assertThat(site.get(unknown).statusCode()).as(unknown).isEqualTo(404);
        }
        assertThat(site.get("/jobs/1").body()).contains("href=\"/pawl/databases/invoices/\"");
    }

    @Test
    void aChangeIsMadeInTheDatabaseOfItsPage() {
        HttpResponse<String> paused = site.submit(
                "/databases/invoices/queues",
                "/databases/invoices/queues/pause",
                Map.of("queue", "mail", "back", "/queues"));
        assertThat(paused.headers().firstValue("location")).hasValue("/pawl/databases/invoices/queues");
        assertThat(isPaused(invoices)).isTrue();
        assertThat(isPaused(site.queue())).isFalse();
    }

    /** The path of the first database contains the paths of the others, so browsers send its cookie to their pages, too. */
    @Test
    void theMessageOfAChangeIsShownInItsDatabaseOnly() {
        for (String mount : new String[] {"", "/databases/invoices"}) {
            String other = mount.isEmpty() ? "/databases/invoices" : "";
            HttpResponse<String> paused =
                    site.submit(mount + "/queues", mount + "/queues/pause", Map.of("queue", "mail", "back", "/queues"));
            String said = Site.setCookie(paused, mount.isEmpty() ? "pawl_said" : "pawl_said_invoices");
            String message = "<p id=\"said\"";
            assertThat(site.get(mount + "/queues", "Cookie", said).body())
                    .as(mount)
                    .contains(message);
            HttpResponse<String> elsewhere = site.get(other + "/queues", "Cookie", said);
            assertThat(elsewhere.body()).as(other).doesNotContain(message);
            assertThat(elsewhere.headers().allValues("set-cookie")).noneMatch(cookie -> cookie.startsWith("pawl_said"));
        }
    }

    private static boolean isPaused(JobQueue queue) {
        return queue.admin().queues().list(Admin.UNLIMITED).get(0).paused();
    }

    @Test
    void oneLoginIsForAll() {
        site.close();
        site = new Site(
                TestServers.sqlite(),
                "/pawl",
                options -> options.token(Role.OPERATOR, TOKEN).database("invoices", invoices));
        assertThat(site.get("/databases/invoices/jobs").headers().firstValue("location"))
                .hasValue("/pawl/login?back=%2Fdatabases%2Finvoices%2Fjobs");
        assertThat(site.send("POST", "/databases/invoices/jobs/1/cancel", "")
                        .headers()
                        .firstValue("location"))
                .hasValue("/pawl/login");
        assertThat(site.get("/databases/invoices/api/jobs").statusCode()).isEqualTo(401);
        // The pages of all databases share one path for logging out, so the cookie that identifies the browser has the
        // path of the whole dashboard.
        assertThat(site.get("/databases/invoices/jobs").headers().allValues("set-cookie"))
                .allMatch(cookie -> cookie.startsWith("pawl_browser=") && cookie.contains("Path=/pawl/;"));
        HttpResponse<String> in = site.submit("/login", "/login", Map.of("token", TOKEN));
        assertThat(in.headers().allValues("set-cookie"))
                .anyMatch(cookie -> cookie.contains("pawl_session") && cookie.contains("Path=/pawl/;"));
        String session = Site.setCookie(in, "pawl_session");
        assertThat(site.get("/databases/invoices/jobs", "Cookie", session).body())
                .contains("action=\"/pawl/login\"", "mail.send");
        site.submit("/databases/invoices/queues", "/login", Map.of("leave", "yes"), session);
        assertThat(site.get("/databases/invoices/jobs", "Cookie", session).statusCode())
                .isEqualTo(303);
    }

    /** The other databases are still shown. */
    @Test
    void anUnavailableDatabaseDoesNotAffectTheOthers() {
        site.loseTheDatabase();
        assertThat(site.get("/jobs").statusCode()).isEqualTo(503);
        assertThat(site.get("/databases/invoices/jobs").body()).contains("mail.send");
    }

    @Test
    void namesAreCheckedAndUnique() {
        for (String wrong : new String[] {"", "..", "a/b", "a b", "x".repeat(41), "main"}) {
            assertThatThrownBy(() -> Dashboard.on(invoices).database(wrong, invoices))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + wrong + "'");
        }
        assertThatThrownBy(() -> Dashboard.on(invoices).database("a", invoices).name("a"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theHeaderOffersAllDatabases() throws Exception {
        assumeTrue(Browser.program().isPresent(), "there is no browser on the PATH");
        try (Browser browser = new Browser(Browser.program().orElseThrow(), 390, 900)) {
            browser.show(390, 900, "light");
            browser.open(site.url() + "/queues");
            browser.evaluate("document.querySelector('.databases summary').click()");
            assertThat(browser.is("document.querySelector('.databases a:not([aria-current])').checkVisibility()"
                            + " && document.documentElement.scrollWidth <= 390"))
                    .isTrue();
            browser.evaluate("window.isOld = true; document.querySelector('.databases a:not([aria-current])').click()");
            await().atMost(Site.SOON)
                    .until(() -> browser.is("!window.isOld && document.readyState === 'complete'"
                            + " && location.pathname === '/pawl/databases/invoices/queues'"
                            + " && document.querySelector('#queue-mail td').textContent === '2'"));
            invoices.enqueue(new JobRequest("mail.send", "{}", EnqueueOptions.DEFAULTS.queue("mail")));
            await().atMost(Site.SOON)
                    .until(() -> browser.is("document.querySelector('#queue-mail td').textContent === '3'"));
            assertThat(browser.complaints()).isEmpty();
        }
    }
}
