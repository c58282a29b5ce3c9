package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.JobQueue;
import dev.pawl.shard.Shard;
import dev.pawl.shard.ShardedQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands over several databases of one sharded queue. */
class ShardsCommandTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    /** The first id of shard 1. */
    private static final long SECOND = 1L << 43;

    @TempDir
    private Path folder;

    private List<String> databases = List.of();

    @BeforeEach
    void twoDatabases() {
        databases = List.of("--shard", "a=" + file("a"), "--shard", "b=" + file("b"));
        assertThat(run("migrate").exit()).isZero();
    }

    private String file(String name) {
        return folder.resolve(name + ".db").toString();
    }

    private Program.Result run(String... words) {
        return run(databases, words);
    }

    private static Program.Result run(List<String> databases, String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.addAll(databases);
        return Program.plain(all.toArray(String[]::new));
    }

    private JsonNode json(String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        all.add("--json");
        Program.Result result = run(all.toArray(String[]::new));
        assertThat(result.err()).isEmpty();
        return MAPPER.readTree(result.out());
    }

    private static List<String> shards(JsonNode array) {
        List<String> shards = new ArrayList<>();
        array.forEach(each -> shards.add(each.get("shard").asString()));
        return shards;
    }

    /** {@return the id of a job on that shard} */
    private long enqueueOn(String shard) {
        return json("enqueue", "mail", "--only", shard).get("jobId").asLong();
    }

    @Test
    void aListingShowsTheJobsOfAllShards() {
        long first = enqueueOn("a");
        long second = enqueueOn("b");
        assertThat(first).isLessThan(SECOND);
        assertThat(second).isGreaterThan(SECOND);
        Program.Result table = run("jobs");
        assertThat(table.exit()).isZero();
        assertThat(table.out().lines())
                .anyMatch(line -> line.startsWith("SHARD  ") && line.contains("STATE"))
                .anyMatch(line -> line.startsWith("a ") && line.contains(" " + first + " "))
                .anyMatch(line -> line.startsWith("b ") && line.contains(" " + second + " "));
        JsonNode jobs = json("jobs");
        assertThat(shards(jobs)).containsExactly("a", "b");
        assertThat(jobs.get(1).get("id").asLong()).isEqualTo(second);
        assertThat(shards(json("jobs", "--only", "b"))).containsExactly("b");
        assertThat(shards(json("queues"))).containsExactly("a", "b");
        assertThat(shards(json("workers"))).containsExactly("a", "b");
        assertThat(new TreeSet<>(shards(json("doctor")))).containsExactly("a", "b");
    }

    @Test
    void aPageGoesOnInItsShard() {
        long older = enqueueOn("b");
        long newer = enqueueOn("b");
        long other = enqueueOn("a");
        Program.Result first = run("jobs", "--limit", "1");
        assertThat(first.out()).contains("a: next page: --before " + other, "b: next page: --before " + newer);
        JsonNode next = json("jobs", "--limit", "1", "--before", String.valueOf(newer));
        assertThat(shards(next)).containsExactly("b");
        assertThat(next.get(0).get("id").asLong()).isEqualTo(older);
    }

    /** The command finds the shard of a key in the same way as the library. */
    @Test
    void aJobWithAKeyGoesToTheShardOfItsKey() {
        ShardedQueue library = ShardedQueue.of(
                Shard.of("a", JobQueue.builder(new SQLiteDataSource())),
                Shard.of("b", JobQueue.builder(new SQLiteDataSource())));
        TreeSet<String> used = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            String key = "customer-" + i;
            String wanted = library.shardOf(key).name();
            JsonNode keyed = json("enqueue", "mail", "--key", key);
            assertThat(keyed.get("shard").asString()).as(key).isEqualTo(wanted);
            assertThat(keyed.get("jobId").asLong() >= SECOND).as(key).isEqualTo(wanted.equals("b"));
            assertThat(json("enqueue", "mail", "--unique-key", key).get("shard").asString())
                    .isEqualTo(wanted);
            used.add(wanted);
        }
        assertThat(used).containsExactly("a", "b");
        assertThat(json("enqueue", "other", "{\"n\":1}", "--unique-by-payload")
                        .get("result")
                        .asString())
                .isEqualTo("inserted");
        assertThat(json("enqueue", "other", "{\"n\":1}", "--unique-by-payload")
                        .get("result")
                        .asString())
                .isEqualTo("duplicate");
    }

    @Test
    void aCommandWithIdsGoesToTheirShards() {
        long first = enqueueOn("a");
        long second = enqueueOn("b");
        JsonNode shown = json("job", String.valueOf(second));
        assertThat(shown.get("id").asLong()).isEqualTo(second);
        JsonNode cancelled = json("cancel", "job", String.valueOf(second), String.valueOf(first));
        assertThat(shards(cancelled)).containsExactly("a", "b");
        assertThat(cancelled.get(0).get("result").asString()).isEqualTo("cancelled");
        assertThat(cancelled.get(1).get("result").asString()).isEqualTo("cancelled");
        Program.Result again = run("retry", "job", String.valueOf(second));
        assertThat(again.out())
                .startsWith("b: job " + second + " is available now")
                .contains("b: ! job " + second + " waits: no live worker");
        assertThat(json("job", String.valueOf(first)).get("state").asString()).isEqualTo("cancelled");
        Program.Result unknown = run("job", String.valueOf(5 * SECOND + 1));
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("has an id of shard 5");
        Program.Result other = run("job", String.valueOf(first), "--only", "b");
        assertThat(other.exit()).isEqualTo(2);
        assertThat(other.err()).contains("--only b leaves out what is on shard a");
    }

    @Test
    void aChangeOfAllThatMatchIsMadeOnEachShard() {
        long first = enqueueOn("a");
        long second = enqueueOn("b");
        Program.Result result = run("cancel", "jobs", "--queue", "default");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("a: 1 job(s)", "b: 1 job(s)");
        assertThat(json("job", String.valueOf(first)).get("state").asString()).isEqualTo("cancelled");
        assertThat(json("job", String.valueOf(second)).get("state").asString()).isEqualTo("cancelled");
        assertThat(run("pause", "queue", "default").exit()).isZero();
        json("queues")
                .forEach(queue -> assertThat(queue.get("paused").asBoolean()).isTrue());
    }

    /** The queue's first job on the other shard may be enqueued a moment later. */
    @Test
    void aQueueThatOneShardKnowsIsPausedOnAll() {
        assertThat(json("enqueue", "mail", "--queue", "letters", "--only", "b")
                        .get("result")
                        .asString())
                .isEqualTo("inserted");
        Program.Result paused = run("pause", "queue", "letters");
        assertThat(paused.exit()).as(paused.err()).isZero();
        JsonNode queues = json("queues");
        assertThat(new TreeSet<>(shards(queues))).containsExactly("a", "b");
        queues.forEach(queue -> assertThat(queue.get("paused").asBoolean()).isTrue());
        Program.Result unknown = run("pause", "queue", "nothing-has-this");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no queue nothing-has-this");
    }

    /** Ids of batches and workers do not identify their shard, and a limit would apply to each shard separately. */
    @Test
    void aCommandForOneDatabaseRequiresAShard() {
        for (List<String> words : List.of(
                List.of("batch", "1"),
                List.of("stop", "worker", "1"),
                List.of("set", "limit", "queue", "mail", "--at-once", "5"),
                List.of("add", "schedule", "nightly", "mail", "--every", "1h"),
                List.of("work", "--handler", "mail=exec:true"))) {
            Program.Result refused = run(words.toArray(String[]::new));
            assertThat(refused.exit()).as("%s", words).isEqualTo(2);
            assertThat(refused.err()).contains("is for one database: choose a shard with --only a|b");
        }
        assertThat(run("add", "schedule", "nightly", "mail", "--every", "1h", "--only", "b")
                        .exit())
                .isZero();
        assertThat(shards(json("schedules"))).containsExactly("b");
    }

    @Test
    void inconsistentShardOptionsAreRefused() {
        enqueueOn("a");
        List<String> swapped = List.of("--shard", "a=" + file("b"), "--shard", "b=" + file("a"));
        for (String[] words : new String[][] {{"jobs"}, {"enqueue", "mail", "--key", "customer-1"}}) {
            Program.Result result = run(swapped, words);
            assertThat(result.exit()).isNotZero();
            assertThat(result.err()).contains("have the ids of shard");
        }
        assertThat(run(List.of("--shard", "a=x.db", "--shard", "a=y.db"), "jobs")
                        .err())
                .contains("two databases have the name 'a'");
        assertThat(run(List.of("--shard", "a=x.db", "--db", "y.db"), "jobs").err())
                .contains("use --db or --shard, not both");
        assertThat(run(List.of("--only", "a", "--db", "y.db"), "jobs").err()).contains("--only chooses one of several");
        assertThat(run("jobs", "--only", "c").err()).contains("there is no shard 'c': there are a, b");
    }

    /** The other shards are listed, and the exit code tells scripts that one is missing. */
    @Test
    void anUnreachableShardDoesNotHideTheOthers() {
        long first = enqueueOn("a");
        List<String> dead = List.of("--shard", "a=" + file("a"), "--shard", "b=postgres://u:secret@127.0.0.1:1/none");
        Program.Result result = run(dead, "jobs");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains(String.valueOf(first));
        assertThat(result.err()).contains("pawl: b: cannot connect").doesNotContain("secret");
        assertThat(run(dead, "job", String.valueOf(first)).exit()).isZero();
    }

    private List<String> unreachable(String first) {
        return List.of("--shard", "a=" + first, "--shard", "b=" + file("b"));
    }

    /** An unreachable shard is no reason to accept a typo. */
    @Test
    void aNameThatOnlyAnUnreachableShardMayHaveIsRefused() {
        long second = enqueueOn("b");
        Program.Result moved = run(
                unreachable("postgres://u:secret@127.0.0.1:1/none"),
                "move",
                "jobs",
                "--to",
                "emial",
                "--queue",
                "default");
        assertThat(moved.exit()).isEqualTo(1);
        assertThat(moved.err()).contains("pawl: a: cannot connect", "pawl: b: there is no queue emial");
        assertThat(json("job", String.valueOf(second)).get("queue").asString()).isEqualTo("default");
    }

    /** If one shard accepts an unknown name with a warning, another shard may still refuse it as a typo. */
    @Test
    void aNameThatIsAcceptedWithAWarningIsNotKnown() {
        assertThat(json("enqueue", "mail", "--queue", "letters", "--only", "b")
                        .get("result")
                        .asString())
                .isEqualTo("inserted");
        Program.Result kept = run("set", "retention", "queue", "leters", "--completed", "1d");
        assertThat(kept.exit()).as(kept.err()).isEqualTo(1);
        assertThat(kept.err()).contains("warning:", "pawl: b: there is no queue leters");
        assertThat(run("retentions", "--only", "b").out()).doesNotContain("leters");
    }

    /** Continuous output, and output for another program, is not marked with the shard. */
    @Test
    void aCommandForOneShardPrintsAsForOneDatabase() {
        assertThat(run("sql", "--only", "b").out()).isNotBlank().doesNotContain("b: ");
        Program.Result worked = run("work", "--handler", "mail=exec:true", "--until-empty", "--only", "b");
        assertThat(worked.exit()).as(worked.err()).isZero();
        assertThat(worked.out()).startsWith("completed 0");
        assertThat(json("sql", "--only", "b").get("statements").size()).isPositive();
    }

    /** The worker's managers have the databases. */
    @Test
    void aWorkerWithoutADatabaseNeedsNoShard() {
        Program.Result refused = run("work", "--listen", "0", "--handler", "mail=exec:true");
        assertThat(refused.err()).contains("PAWL_SECRET").doesNotContain("--only");
    }

    /** Changes are reported even if a later shard is missing. */
    @Test
    void aMissingDatabaseFileDoesNotHideTheOtherShards() {
        long first = enqueueOn("a");
        List<String> incomplete =
                List.of("--shard", "a=" + file("a"), "--shard", "b=" + file("c"), "--shard", "c=" + file("d"));
        Program.Result result = run(incomplete, "cancel", "jobs", "--queue", "default");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains("a: 1 job(s)");
        assertThat(result.err()).contains("pawl: b: there is no file", "pawl: c: there is no file");
        assertThat(json("job", String.valueOf(first)).get("state").asString()).isEqualTo("cancelled");
        assertThat(run(unreachable(file("c")), "jobs").exit()).isEqualTo(2);
    }

    @Test
    void namesOfShardsAreNoUrls() {
        assertThatThrownBy(() -> ShardUrl.named("PAWL_SHARDS", "a=postgres://u:secret@one/jobs?hosts=x,y"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("only names")
                .hasMessageNotContaining("secret");
        Program.Result negative = run("cancel", "job", "-5");
        assertThat(negative.exit()).isEqualTo(2);
        assertThat(negative.err()).doesNotContain("shard -1");
    }

    /** All or none of the lines of a file are enqueued, so they are on one shard. */
    @Test
    void linesStayTogether() throws Exception {
        Path lines = folder.resolve("lines.txt");
        java.nio.file.Files.writeString(lines, "1\n2\n3\n");
        assertThat(json("enqueue", "mail", "--lines", lines.toString())
                        .get("inserted")
                        .asInt())
                .isEqualTo(3);
        assertThat(new TreeSet<>(shards(json("jobs")))).hasSize(1);
        assertThat(run("enqueue", "mail", "--lines", lines.toString(), "--unique-by-payload")
                        .exit())
                .isEqualTo(2);
    }
}
