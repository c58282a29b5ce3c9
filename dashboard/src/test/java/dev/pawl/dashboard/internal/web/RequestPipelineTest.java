package dev.pawl.dashboard.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.DatabaseException;
import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.Role;
import dev.pawl.dashboard.Viewer;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class RequestPipelineTest {
    private static final RequestPipeline.Plain PLAIN = new RequestPipeline.Plain() {
        @Override
        public String refused(Request request, @Nullable Viewer viewer, String csrf, int status, String message) {
            return message;
        }

        @Override
        public String login(Request request, String csrf, String message) {
            return message;
        }
    };

    private final List<String> audit = new ArrayList<>();
    private final Routes routes = new Routes();
    private final RequestPipeline pipeline = new RequestPipeline(
            new Access(Map.of(), null, false, Clock.systemUTC()),
            Set.of(),
            Databases.ONE,
            routes,
            new HealthChecks(() -> {}),
            PLAIN,
            (call, why) -> audit.add(
                    call.viewer().name() + " " + call.request().path() + " " + call.parameters() + ": " + why));

    private int send(Role role, String path, String query, Map<String, String> headers) {
        Response response = pipeline.answer(
                new Request("POST", "", path, query, headers, new byte[0], false, new Viewer("ada", role)));
        assertThat(response.body()).asString(StandardCharsets.UTF_8).doesNotContain("done");
        return response.status();
    }

    @Test
    void refusedChangesAreAudited() {
        routes.post("/queues/pause", call -> Response.text(200, "text/plain", "done"));
        routes.post("/api/queues/pause", call -> Response.text(200, "text/plain", "done"));

        assertThat(send(Role.READ_ONLY, "/queues/pause", "queue=mail", Map.of()))
                .isEqualTo(403);
        assertThat(send(Role.OPERATOR, "/queues/pause", "queue=mail", Map.of())).isEqualTo(403);
        assertThat(send(Role.OPERATOR, "/api/queues/pause", "queue=mail", Map.of()))
                .isEqualTo(403);
        assertThat(send(Role.OPERATOR, "/api/queues/pause", "", Map.of("pawl-request", "1", "origin", "http://evil")))
                .isEqualTo(403);

        assertThat(audit)
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("ada /queues/pause {queue=mail}: ada has read-only access"),
                        line -> assertThat(line).contains("{queue=mail}: this form is not of this dashboard"),
                        line -> assertThat(line).contains("/api/queues/pause {queue=mail}: send the header"),
                        line -> assertThat(line).contains("Either another web site has sent this"));
    }

    /** Regression test: each request of each open page logged a line while the database was unavailable. */
    @Test
    void outagesLogOneLineAtTheirBeginAndEnd() {
        List<String> lines = new ArrayList<>();
        Logger log = (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("debug")) {
                        lines.add(method.getName());
                    }
                    return null;
                });
        boolean[] away = {true};
        routes.get("/queues", call -> {
            if (away[0]) {
                throw new DatabaseException("cannot read", new SQLException("gone", "08001"), true);
            }
            return Response.text(200, "text/plain", "well");
        });
        RequestPipeline logged = new RequestPipeline(
                new Access(Map.of(), null, false, Clock.systemUTC()),
                Set.of(),
                Databases.ONE,
                routes,
                new HealthChecks(() -> {}),
                PLAIN,
                (call, why) -> {},
                log);
        Request request =
                new Request("GET", "", "/queues", "", Map.of(), new byte[0], false, new Viewer("ada", Role.READ_ONLY));
        for (int i = 0; i < 3; i++) {
            assertThat(logged.answer(request).status()).isEqualTo(503);
        }
        assertThat(lines).containsExactly("warn");
        away[0] = false;
        for (int i = 0; i < 3; i++) {
            assertThat(logged.answer(request).status()).isEqualTo(200);
        }
        assertThat(lines).containsExactly("warn", "info");
    }

    @Test
    void stackOverflowsAreAnswered() {
        routes.get("/jobs", call -> {
            throw new StackOverflowError();
        });
        Request request =
                new Request("GET", "", "/jobs", "", Map.of(), new byte[0], false, new Viewer("ada", Role.READ_ONLY));
        assertThat(pipeline.answer(request).status()).isEqualTo(500);
    }

    @Test
    void longAddressesAreRefusedAndNotRepeated() {
        for (String path : List.of("/jobs", "/api/jobs")) {
            Response response = pipeline.answer(
                    new Request("GET", "", path, "q=" + "x".repeat(20_000), Map.of(), new byte[0], false, null));
            assertThat(response.status()).isEqualTo(414);
            assertThat(response.body())
                    .asString(StandardCharsets.UTF_8)
                    .contains("longer than")
                    .hasSizeLessThan(200);
        }
    }
}
