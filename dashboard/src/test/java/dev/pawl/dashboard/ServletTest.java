package dev.pawl.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.dashboard.servlet.DashboardServlet;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a real servlet container, below a prefix, where the application authenticates users. */
class ServletTest {
    private final TestDatabase database = TestServers.sqlite().createDatabase();
    private final HikariDataSource pool = database.newDataSource(4);
    private final JobQueue queue = JobQueue.open(pool);
    private final Tomcat tomcat = new Tomcat();
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start(@TempDir Path folder) throws LifecycleException {
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.setSilent(true);
        Context context = tomcat.addContext("/app", folder.toString());
        // The header X-User with the name of a user stands for the application's authentication.
        Tomcat.addServlet(
                context, "pawl", new DashboardServlet(Dashboard.on(queue).build(), request -> {
                    String user = request.getHeader("X-User");
                    if ("broken".equals(user)) {
                        throw sneaky(new SQLException("the users' database, secret.example, is gone"));
                    }
                    return user == null ? null : new Viewer(user, user.equals("ada") ? Role.OPERATOR : Role.READ_ONLY);
                }));
        context.addServletMappingDecoded("/pawl/*", "pawl");
        Tomcat.addServlet(
                context,
                "closed",
                new DashboardServlet(
                        Dashboard.on(queue).database("second", queue).build()));
        context.addServletMappingDecoded("/closed/*", "closed");
        tomcat.getConnector();
        tomcat.start();
    }

    @AfterEach
    void stop() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
        queue.close();
        pool.close();
        database.close();
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + tomcat.getConnector().getLocalPort() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void allLinksStayBelowThePrefix() throws Exception {
        queue.admin().queues().pause("mail");
        for (String page : List.of(
                "/",
                "/queues",
                "/jobs",
                "/failures",
                "/schedules",
                "/limits",
                "/workers",
                "/slots",
                "/database",
                "/nothing")) {
            HttpResponse<String> shown = send("GET", "/app/pawl" + page, "", "X-User", "ada");
            var links = java.util.regex.Pattern.compile("(?:href|src|action|hx-get)=\"([^\"]*)\"")
                    .matcher(shown.body());
            int found = 0;
            while (links.find()) {
                found++;
                assertThat(links.group(1))
                        .as(page)
                        .satisfiesAnyOf(
                                link -> assertThat(link).startsWith("/app/pawl/"),
                                link -> assertThat(link).startsWith("#"));
            }
            assertThat(found).isGreaterThan(10);
        }
        assertThat(send("GET", "/app/pawl/assets/htmx.min.js", "", "X-User", "ada")
                        .statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/app/pawl", "", "X-User", "ada")
                        .headers()
                        .firstValue("location")
                        .orElse(""))
                .endsWith("/app/pawl/");
    }

    @Test
    void theApplicationDecidesOnRoles() throws Exception {
        assertThat(send("GET", "/app/pawl/", "").statusCode()).isEqualTo(403);
        assertThat(send("GET", "/app/pawl/live", "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/app/closed/", "", "X-User", "ada").statusCode())
                .isEqualTo(403);
        assertThat(send("GET", "/app/pawl/", "", "X-User", "bob").body()).contains("read-only");

        HttpResponse<String> page = send("GET", "/app/pawl/queues", "", "X-User", "ada");
        String csrf = page.body().replaceFirst("(?s).*name=\"csrf\" value=\"([^\"]+)\".*", "$1");
        String cookie = Site.setCookie(page, "pawl_browser");
        assertThat(page.headers().firstValue("set-cookie").orElse("")).contains("Path=/app/pawl/;");
        String form = Site.form(Map.of("queue", "mail", "csrf", csrf, "back", "/queues"));
        for (String user : List.of("bob", "ada")) {
            HttpResponse<String> done = send(
                    "POST",
                    "/app/pawl/queues/pause",
                    form,
                    "X-User",
                    user,
                    "Cookie",
                    cookie,
                    "Content-Type",
                    "application/x-www-form-urlencoded");
            assertThat(done.statusCode()).isEqualTo(user.equals("ada") ? 303 : 403);
            if (user.equals("ada")) {
                assertThat(done.headers().firstValue("location")).hasValue("/app/pawl/queues");
            }
            assertThat(queue.admin().queues().list(Admin.UNLIMITED)).hasSize(user.equals("ada") ? 1 : 0);
        }
        assertThat(send(
                                "POST",
                                "/app/pawl/api/queues/pause?queue=other",
                                "",
                                "X-User",
                                "ada",
                                "Authorization",
                                "Bearer whatever")
                        .statusCode())
                .isEqualTo(403);
    }

    /** Kotlin and Lombok functions can throw undeclared checked exceptions. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void unauthenticatedRequestsAreRefusedButProbesAnswer() throws Exception {
        for (String path : List.of("/", "/api/queues", "/assets/htmx.min.js")) {
            HttpResponse<String> refused = send("GET", "/app/pawl" + path, "", "X-User", "broken");
            assertThat(refused.statusCode()).as(path).isEqualTo(503);
            assertThat(refused.body()).contains("authentication failed").doesNotContain("secret.example", "Exception");
            assertThat(refused.headers().firstValue("cache-control")).hasValue("no-store");
        }
        assertThat(send("POST", "/app/pawl/api/queues/pause?queue=x", "", "X-User", "broken", "Pawl-Request", "1")
                        .statusCode())
                .isEqualTo(503);
        assertThat(queue.admin().queues().list(Admin.UNLIMITED)).isEmpty();
        assertThat(send("GET", "/app/pawl/live", "", "X-User", "broken").statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/app/pawl/ready", "", "X-User", "broken").statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/app/closed/databases/second/ready", "").statusCode())
                .isEqualTo(200);
        assertThat(send("GET", "/app/closed/databases/second/jobs", "").statusCode())
                .isEqualTo(403);
        assertThat(send("GET", "/app/pawl/", "").headers().firstValue("x-content-type-options"))
                .hasValue("nosniff");
    }

    /** HTTP/2 lets browsers send one header per cookie. */
    @Test
    void cookiesMaySpanSeveralHeaders() throws Exception {
        HttpResponse<String> page = send("GET", "/app/pawl/queues", "", "X-User", "ada");
        String csrf = page.body().replaceFirst("(?s).*name=\"csrf\" value=\"([^\"]+)\".*", "$1");
        HttpResponse<String> done = send(
                "POST",
                "/app/pawl/queues/pause",
                Site.form(Map.of("queue", "mail", "csrf", csrf)),
                "X-User",
                "ada",
                "Cookie",
                "of=the application",
                "Cookie",
                Site.setCookie(page, "pawl_browser"),
                "Content-Type",
                "application/x-www-form-urlencoded");
        assertThat(done.statusCode()).isEqualTo(303);
    }

    @Test
    void programsPostWithoutABody() throws Exception {
        HttpResponse<String> done =
                send("POST", "/app/pawl/api/jobs?kind=mail.send&queue=mail", "", "X-User", "ada", "Pawl-Request", "1");
        assertThat(done.body()).contains("is enqueued");
        assertThat(done.statusCode()).isEqualTo(200);
    }
}
