package example;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import example.first.Welcome;
import example.shop.Shop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs both programs as the build does, and fails unless they behave as documented. */
public final class Check {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    private Check(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static void main(String[] arguments) throws Exception {
        try (ConfigurableApplicationContext context = start(Welcome.class)) {
            new Check(context).completes(1);
        }
        try (ConfigurableApplicationContext context = start(Shop.class)) {
            new Check(context).shop();
        }
    }

    /** Starts a program on an empty database. */
    private static ConfigurableApplicationContext start(Class<?> program) throws IOException {
        Path file = Files.createTempDirectory("pawl-example-").resolve("shop.db");
        return SpringApplication.run(
                program,
                "--server.port=0",
                "--spring.datasource.url=jdbc:sqlite:" + file + "?busy_timeout=30000&journal_mode=WAL");
    }

    private void shop() throws Exception {
        require(
                "an order without payment",
                send("POST", "/orders?customer=Charles&paid=false").statusCode() == 500);
        HttpResponse<String> placed = send("POST", "/orders?customer=Ada");
        require("an order", placed.statusCode() == 200);
        completes(1); // Charles' order has left no job
        String order = send("GET", "/orders/" + placed.body()).body();
        require(order, order.equals("Ada: confirmed"));
        queue().schedules().runNow("order.report");
        completes(2);
        String health = send("GET", "/actuator/health").body();
        require(health, health.contains("\"pawl\":{") && health.contains("\"worker\":\"running\""));
        String overview = send("GET", "/actuator/pawl").body();
        require(overview, overview.contains("order.report") && overview.contains("0 3 * * * in Europe/Rome"));
        HttpResponse<String> dashboard = send("GET", "/pawl/jobs");
        require(
                "the dashboard: " + dashboard.statusCode(),
                dashboard.statusCode() == 200
                        && dashboard.body().contains("order.confirm")
                        && dashboard.body().contains("order.report"));
        System.out.println(order + "; " + overview);
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JobQueue queue() {
        return context.getBean(JobQueue.class);
    }

    private void completes(int jobs) throws InterruptedException {
        eventually(jobs + " completed jobs", () -> {
            List<Job> all = queue().admin().jobs().list(JobFilter.ALL);
            return all.size() == jobs && all.stream().allMatch(job -> job.state() == JobState.COMPLETED);
        });
    }

    private static void eventually(String what, BooleanSupplier holds) throws InterruptedException {
        for (int i = 0; i < 600 && !holds.getAsBoolean(); i++) {
            TimeUnit.MILLISECONDS.sleep(100); // polls, because the database does not report the end of a job
        }
        require(what, holds.getAsBoolean());
    }

    private static void require(String what, boolean holds) {
        if (!holds) {
            throw new IllegalStateException("not as it should be: " + what);
        }
    }
}
