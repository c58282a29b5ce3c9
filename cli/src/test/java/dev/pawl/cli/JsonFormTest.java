package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.Batch;
import dev.pawl.HandlerSet;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.Workflow;
import dev.pawl.api.HandlerOptions;
import dev.pawl.api.JobType;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.dashboard.Dashboard;
import dev.pawl.dashboard.DashboardServer;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code --json} has one form for all commands, shared with the dashboard's API. */
@Timeout(120)
class JsonFormTest {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final Path FORM = Path.of("src/test/resources/json-form.txt");
    private static final String SECRET = "a-secret-for-tests-only";

    private final Set<String> seen = new HashSet<>();
    private final JsonShape shape = new JsonShape();
    private Program program = new Program("");

    /** The handler set of a checked program. */
    public static final class Handlers implements HandlerSet {
        @Override
        public void addTo(WorkerBuilder worker) {
            WorkerBuilder unused = worker.handle(JobType.of("save", Integer.class), (number, run) -> {});
        }
    }

    @Test
    void everyCommandHasTheSameForm() throws Exception {
        System.setProperty("pawl.secret", SECRET);
        try (TestDatabase database = TestServers.postgres().createDatabase()) {
            program = new Program(database.jdbcUrl());
            operate(database.jdbcUrl());
            Set<String> commands = commandsWithJson();
            commands.remove("import"); // the importers' own module tests it
            assertThat(seen).containsAll(commands);
            assertThat(shape.differences(Files.readAllLines(FORM)))
                    .as("members of JSON; if a change is wanted, change json-form.txt")
                    .isEmpty();
        } finally {
            System.clearProperty("pawl.secret");
        }
    }

    private void operate(String url) throws Exception {
        check("migrate");
        check("migrate", "--print");
        check("sql");
        check("example");
        check("demo", "--limit", "20", "--workers", "2");

        JsonNode plain = check("enqueue", "save", "{\"n\": 0.10000000000000000001}", "--priority", "5");
        assertThat(plain.get("result").asString()).isEqualTo("inserted");
        String id = plain.get("jobId").asString();
        String raw = check("enqueue", "save", "{}").get("jobId").asString();
        String key = check("enqueue", "keyed", "{}", "--key", "ada", "--cost", "2", "--expires-in", "1h")
                .get("jobId")
                .asString();
        String parked = check("enqueue", "keyed", "{}", "--key", "ada", "--header", "Trace: A B")
                .get("jobId")
                .asString();
        String fails = check("enqueue", "fail", "{}", "--max-attempts", "1")
                .get("jobId")
                .asString();
        check("edit", "job", raw, "--payload", "NOT JSON", "--raw");

        JsonNode job = check("job", id);
        assertThat(job.get("payload").get("n").asDecimal()).isEqualTo("0.10000000000000000001");
        assertThat(job.get("payloadText").isNull()).isTrue();
        assertThat(job.get("state").asString()).isEqualTo("available");
        JsonNode text = check("job", raw);
        assertThat(text.get("payload").isNull()).isTrue();
        assertThat(text.get("payloadText").asString()).isEqualTo("NOT JSON");
        JsonNode limited = check("job", key);
        assertThat(limited.get("key").asString()).isEqualTo("ada");
        assertThat(limited.get("cost").asInt()).isEqualTo(2);
        assertThat(limited.get("expiresAt").isNull()).isFalse();
        JsonNode waits = check("job", parked);
        assertThat(waits.get("state").asString()).isEqualTo("blocked");
        assertThat(waits.get("availableAt").asString())
                .isEqualTo(waits.get("createdAt").asString());
        check("jobs");
        theDashboardHasTheSameNames(
                url,
                "jobs/" + id,
                job,
                Set.of("dueAt", "waitsFor", "failedAttempts", "log", "assignments", "steps", "result", "workflow"));

        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url);
            try (JobQueue queue = JobQueue.open(pool)) {
                Batch batch = queue.batch("import").open();
                batch.enqueue(JobType.of("part", String.class), "x");
                JobType<String> part = JobType.of("part", String.class);
                Workflow unused = queue.workflow("order")
                        .job("charge", part, "x")
                        .then("ship", part, "y")
                        .start();
            }
        }
        String workflow = check("workflows").get(0).get("id").asString();
        JsonNode nodes = check("workflow", workflow).get("nodes");
        assertThat(nodes.get(1).get("after").get(0).get("onFailure").asString()).isEqualTo("block");
        assertThat(nodes.get(0).get("state").asString()).isEqualTo("available");
        assertThat(nodes.get(1).get("state").asString()).isEqualTo("pending");
        String batch = check("batches").get(0).get("id").asString();
        check("batch", batch);
        check("pause", "batch", batch);
        check("resume", "batch", batch);
        check("seal", "batch", batch);
        check("cancel", "batch", batch);
        check("cancel", "workflow", workflow);
        assertThat(check("signal", "job", raw, "approved", "{\"by\": \"Ann\"}")
                        .get("result")
                        .asString())
                .isEqualTo("delivered");
        assertThat(check("job", raw).get("steps").get(0).get("kind").asString()).isEqualTo("signal");

        check("add", "schedule", "nightly", "save", "{\"a\":1}", "--every", "1h");
        assertThat(check("schedules").get(0).get("payload").get("a").asInt()).isOne();
        check("run", "schedule", "nightly");
        check("change", "schedule", "nightly", "--cron", "@daily");
        check("pause", "schedule", "nightly");
        check("resume", "schedule", "nightly");
        theDashboardHasTheSameNames(url, "schedules", check("schedules"), Set.of("payload", "payloadText"));

        check("check", "--classpath", ".", "--handlers", Handlers.class.getName());

        check("set", "limit", "kind", "other", "--rate", "5/1m", "--at-once", "3", "--new");
        check("pause", "kind", "other", "--for", "1h", "--new");
        theDashboardHasTheSameNames(url, "limits", check("limits"), Set.of("full", "pausedKeys"));
        check("resume", "kind", "other");
        check("remove", "limit", "kind", "other");
        check("pause", "key", "default", "ada", "--for", "1h", "--new");
        assertThat(check("limits", "--keys").get(0).get("key").asString()).isEqualTo("ada");
        check("resume", "key", "default", "ada");
        check("set", "retention", "kind", "save", "--completed", "30d");
        check("retentions");
        check("remove", "retention", "kind", "save");
        PGSimpleDataSource pool = new PGSimpleDataSource();
        pool.setUrl(url);
        try (JobQueue queue =
                        JobQueue.builder(pool).retention(Retention.DEFAULTS).open();
                Worker worker = Worker.on(queue)
                        .queues("none")
                        .handle(JobType.of("none", Integer.class), (number, run) -> {})
                        .start()) {
            assertThat(worker.id()).isPositive();
        }
        assertThat(check("retentions").get(0).get("subject").asString()).isEqualTo("program");
        check("remove", "retention", "program");

        assertThat(check(
                                "work",
                                "--until-empty",
                                "--slot",
                                "save=series",
                                "--handler",
                                "save=exec:true",
                                "--handler",
                                "fail=exec:echo no >&2; exit 1")
                        .get("discarded")
                        .asInt())
                .isOne();
        assertThat(check("schedule", "nightly").get(0).get("outcome").asString())
                .isEqualTo("by_hand");
        check("slots");
        check("gaps", "series");
        check("trim", "series", "series");
        check("free", "slot", "series", "1");
        check("flush", "series", "series", "series");
        List<JsonNode> events = events("job", id, "--follow");
        assertThat(events).isNotEmpty();
        check("remove", "schedule", "nightly");

        String group = check("failures").get(0).get("id").asString();
        check("retry", "failures", group);
        check("cancel", "failures", group);
        assertThat(check("retry", "job", fails, "99").get(1).get("result").asString())
                .isEqualTo("not_found");
        check("prioritize", "job", key, "--to", "-3");
        check("move", "job", key, "--to", "mail", "--new");
        check("reschedule", "job", key, "--at", "2030-01-31T08:00:00Z");
        check("cancel", "job", key);
        check("delete", "job", key);
        check("erase", "job", parked, "99");
        check("cancel", "jobs", "--kind", "keyed", "--dry-run");
        check("cancel", "jobs", "--kind", "keyed");
        check("retry", "jobs", "--kind", "none");
        check("delete", "jobs", "--kind", "none");
        check("erase", "jobs", "--kind", "none");
        check("move", "jobs", "--kind", "none", "--to", "mail", "--new");
        check("prioritize", "jobs", "--kind", "none", "--to", "1");
        check("reschedule", "jobs", "--kind", "none", "--in", "1h");
        check("pause", "all");
        check("resume", "all");
        check("pause", "queue", "default");
        check("queues");
        check("resume", "queue", "default");
        check("set", "strategy", "default", "rows");
        check("prune");
        check("doctor");
        check("tune", "--live-partitions", "1");
        execute(
                url,
                "CREATE TABLE jobs (id bigserial PRIMARY KEY, queue varchar(255), attempts int,"
                        + " reserved_at int, available_at int)");
        check("laravel");
        overShards(url);
        workers(url);
        untilStopped("\"url\"", "dashboard", "--listen", "0");
        check("enqueue", "lonely", "{}");
        untilStopped("\"event\"", "alerts", "--alert", "oldest=PT0.001S");
        untilStopped("\"port\"", "work", "--listen", "0", "--handler", "save=exec:true");
        check("manage", "--kinds", "none", "--worker", "http://localhost:1", "--until-empty");
    }

    /** Over shards, objects in arrays have one more member, and a single object becomes an array. */
    private void overShards(String url) {
        for (String[] words : new String[][] {{"enqueue", "save", "{}"}, {"prune"}, {"retry", "job", "99"}}) {
            List<String> all = new ArrayList<>(List.of(words));
            all.addAll(List.of("--json", "--shard", "a=" + url));
            JsonNode node =
                    MAPPER.readTree(Program.plain(all.toArray(String[]::new)).out());
            inForm(node, String.join(" ", all), "");
            shape.add(command(words) + ":shards", node);
        }
    }

    private void workers(String url) {
        DatabaseOptions options = new DatabaseOptions();
        new CommandLine(options).parseArgs("--db", url);
        try (DatabaseOptions.Session session = options.open(4);
                Worker worker = Worker.on(session.queue())
                        .extend(registry -> registry.encoded(
                                "none", (payload, run) -> Outcome.completed(), HandlerOptions.DEFAULTS))
                        .start()) {
            String id = Long.toString(worker.id());
            assertThat(check("workers").get("workers").get(0).get("command").asString())
                    .isEqualTo("work");
            check("scale", "worker", id, "1");
            check("scale", "queue", "default", "1");
            check("pause", "worker", id);
            check("resume", "worker", id);
            check("stop", "worker", id);
        }
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private JsonNode check(String... words) {
        Program.Result result = json(words);
        JsonNode node = MAPPER.readTree(result.out());
        inForm(node, String.join(" ", words), "");
        shape.add(command(words), node);
        return node;
    }

    private List<JsonNode> events(String... words) {
        List<JsonNode> events = json(words).out().lines().map(MAPPER::readTree).toList();
        events.forEach(event -> {
            inForm(event, String.join(" ", words), "");
            shape.add(command(words) + ":event", event);
        });
        return events;
    }

    private Program.Result json(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--json");
        Program.Result result = program.run(all.toArray(String[]::new));
        assertThat(result.out()).as("%s: %s", all, result.err()).isNotBlank();
        note(words);
        return result;
    }

    private static String command(String... words) {
        String both = words.length > 1 ? words[0] + " " + words[1] : words[0];
        return commandsWithJson().contains(both) ? both : words[0];
    }

    private void note(String... words) {
        seen.add(words[0]);
        if (words.length > 1) {
            seen.add(words[0] + " " + words[1]);
        }
    }

    /** Checks the first output of a continuous command, and stops the command. */
    private void untilStopped(String sign, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--json", "--db", "unused.db"));
        if (!words[0].equals("work")) {
            all.set(all.size() - 1, url());
        }
        CompletableFuture<String> printed = new CompletableFuture<>();
        StringWriter out = new StringWriter() {
            @Override
            public void flush() {
                if (toString().contains(sign) && toString().contains("}")) {
                    printed.complete(toString());
                }
            }
        };
        Thread running = new Thread(() -> {
            StringWriter err = new StringWriter();
            int unused = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
            printed.completeExceptionally(new IllegalStateException(err.toString()));
        });
        running.start();
        JsonNode first = MAPPER.readTree(printed.get(60, TimeUnit.SECONDS));
        inForm(first, words[0], "");
        shape.add(words[0] + ":event", first);
        running.interrupt();
        running.join();
        note(words[0]);
    }

    private String url() {
        return program.url();
    }

    /** Checks that the dashboard prints the same members as the command, except those that only the command prints. */
    private static void theDashboardHasTheSameNames(String url, String path, JsonNode ours, Set<String> onlyOurs)
            throws IOException, InterruptedException {
        DatabaseOptions options = new DatabaseOptions();
        new CommandLine(options).parseArgs("--db", url);
        try (DatabaseOptions.Session session = options.open(4);
                DashboardServer server = DashboardServer.start(
                        Dashboard.on(session.queue()).build(),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        "")) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/api/" + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            JsonNode theirs = MAPPER.readTree(answer.body());
            inForm(theirs, "/api/" + path, "");
            Set<String> names = names(ours);
            names.removeAll(onlyOurs);
            assertThat(names(theirs)).as(path).isEqualTo(names);
        }
    }

    private static Set<String> names(JsonNode node) {
        return new TreeSet<>((node.isArray() ? node.get(0) : node).propertyNames());
    }

    private static void inForm(JsonNode node, String command, String path) {
        if (node.isArray()) {
            node.forEach(item -> inForm(item, command, path + "[]"));
        } else if (node.isObject()) {
            node.properties().forEach(member -> {
                String name = member.getKey();
                String at = path + "." + name;
                assertThat(name).as("%s: %s", command, at).matches("[a-z][A-Za-z0-9]*");
                if (name.equals("payload")) {
                    assertThat(node.has("payloadText"))
                            .as("%s: %s", command, at)
                            .isTrue();
                    assertThat(member.getValue().isNull()
                                    || node.get("payloadText").isNull())
                            .as("%s: %s", command, at)
                            .isTrue();
                } else if (!Set.of("payloadText", "headers").contains(name)) {
                    inForm(member.getValue(), command, at);
                }
                if (name.endsWith("At") || name.endsWith("Until")) {
                    assertThat(member.getValue().isNull() || year(member.getValue()) < 9000)
                            .as("%s: %s", command, at)
                            .isTrue();
                }
            });
        } else if (node.isString()) {
            String text = node.asString();
            assertThat(text)
                    .as("%s: %s", command, path)
                    .doesNotMatch("[A-Z][A-Z_]+")
                    .doesNotStartWith("9000-");
            if (text.matches("P(T|\\d).*")) {
                assertThat(Duration.parse(text)).as(text).isNotNull();
            }
        }
    }

    private static int year(JsonNode moment) {
        return Instant.parse(moment.asString())
                .atOffset(java.time.ZoneOffset.UTC)
                .getYear();
    }

    private static Set<String> commandsWithJson() {
        Set<String> names = new TreeSet<>();
        Main.withAllCommands().getSubcommands().values().forEach(command -> {
            add(names, "", command);
            command.getSubcommands().values().forEach(sub -> add(names, command.getCommandName() + " ", sub));
        });
        return names;
    }

    private static void add(Set<String> names, String parent, CommandLine command) {
        boolean ours = command.getCommandSpec().userObject().getClass().getPackage() == Main.class.getPackage();
        if (ours && command.getCommandSpec().findOption("--json") != null) {
            names.add(parent + command.getCommandName());
        }
    }
}
