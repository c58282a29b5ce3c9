package dev.pawl.lab.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Target;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Tier;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ResourceLock(value = "the embedded MariaDB", mode = ResourceAccessMode.READ)
class ContendersTest {
    private static final int JOBS = 300;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "auto",
                "auto+no-history",
                "auto+limit",
                "auto+kind-limit",
                "auto+keys",
                "auto+strict-keys",
                "auto+batch",
                "auto+chunks",
                "auto+small-batches",
                "auto+queues",
                "auto+queues+limit",
                "auto+transaction",
                "auto+due",
                "auto+workers=3",
                "db-scheduler+workers=3",
                "db-scheduler+transaction",
                "db-scheduler+due",
                "optimistic:window=10,pick=uniform",
                "pessimistic:delete-mark=yes",
                "transactional",
                "DBP-0-0-5",
                "DBP-1-0-1",
                "DBP-0-0-5-noindex",
                "DBO-1",
                "DBO-2-cl0.3",
                "raw",
                "raw-same-table",
                "raw-lane",
                "raw-keys",
                "raw-marker",
                "db-scheduler",
                "jobrunr",
                "quartz"
            })
    void everyContenderRunsWhatItHasTakenInOnEveryDatabase(String system) throws Exception {
        for (String database : databases(system)) {
            run(system, database);
        }
    }

    /** In the quick tier, one database, chosen by the system's name. */
    private static List<String> databases(String system) {
        List<String> all = Target.EMBEDDED.stream()
                .filter(database -> Contenders.refusal(system, database).isEmpty())
                .toList();
        return Tier.ofThisBuild().isAll("PAWL_LAB")
                ? all
                : List.of(all.get(Math.floorMod(system.hashCode(), all.size())));
    }

    private static void run(String system, String database) throws Exception {
        Ran ran = new Ran();
        try (Scratch scratch = Target.of(database).scratch();
                Contender contender = Contenders.open(new Setup(system, scratch, 4, 0, 0, 60, 0))) {
            contender.enqueue(0, JOBS);
            assertThat(contender.unfinished()).as(system + " on " + database).isEqualTo(JOBS);
            Contender.Running running = contender.start(ran);
            try {
                assertThat(ran.all.await(60, TimeUnit.SECONDS))
                        .as(system + " on " + database)
                        .isTrue();
                awaitNothingLeft(contender); // jobs may have enqueued others
            } finally {
                running.close();
            }
            assertThat(contender.unfinished()).as(system + " on " + database).isZero();
            assertThat(contender.settings()).isNotBlank();
        }
    }

    private static void awaitNothingLeft(Contender contender) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (contender.unfinished() > 0 && System.nanoTime() < deadline) {
            Delay.poll(5); // another library's table sends no signal
        }
    }

    private static final class Ran implements Contender.Handler {
        private final Set<Integer> started = ConcurrentHashMap.newKeySet();
        private final Set<Integer> done = ConcurrentHashMap.newKeySet();
        private final CountDownLatch all = new CountDownLatch(JOBS);

        @Override
        public void run(int job) {
            started.add(job);
        }

        @Override
        public void done(int job) {
            if (started.contains(job) && done.add(job)) {
                all.countDown();
            }
        }
    }

    @Test
    void variantsAreWholeWords() {
        assertThat(Variant.BATCH.in("auto+small-batches")).isFalse();
        assertThat(Variant.KEYS.in("auto+strict-keys")).isFalse();
        assertThat(Variant.LIMIT.in("auto+queues+limit")).isTrue();
        assertThat(Variant.workers("rows+workers=40")).isEqualTo(40);
        assertThat(Variant.base("db-scheduler+workers=40+due")).isEqualTo("db-scheduler");
    }

    @Test
    void handlersAreSpreadOverAllProcesses() {
        assertThat(IntStream.range(0, 4).map(i -> PawlProcesses.share(10, 4, i)))
                .containsExactly(3, 3, 2, 2);
        assertThat(IntStream.range(0, 3).map(i -> PawlProcesses.share(3, 3, i))).containsExactly(1, 1, 1);
    }

    @Test
    void unknownOrUnsupportedSystemsAreReported() {
        assertThatThrownBy(() -> Contenders.family("sidekiq")).hasMessageContaining("db-scheduler, jobrunr, quartz");
        assertThatThrownBy(() -> Contenders.family("auto+chunk")).hasMessageContaining("+chunks");
        assertThatThrownBy(() -> Contenders.family("quartz+due")).hasMessageContaining("quartz+due");
        assertThatThrownBy(() -> Contenders.family("db-scheduler+keys")).hasMessageContaining("db-scheduler+keys");
        assertThat(Contenders.refusal("pgque", "mariadb")).contains("pgque is made for PostgreSQL");
        assertThatThrownBy(() -> Contenders.family("DBP-3")).hasMessageContaining("DBP-MARK-FETCH-TRIES");
        assertThat(Contenders.refusal("skip-locked", "sqlite")).isPresent();
        assertThat(Contenders.refusal("quartz", "sqlite")).contains("quartz is not made for SQLite");
        assertThatThrownBy(() -> Target.of("oracle")).hasMessageContaining("'oracle'");
        assertThatThrownBy(() -> Target.of("jdbc:oracle:thin")).hasMessageContaining("no driver");
    }

    @Test
    void payloadsContainTheirNumber() {
        assertThat(List.of("{\"n\":17,\"pad\":\"\"}", "{\"n\": 17}").stream().map(Setup::number))
                .containsOnly(17);
    }
}
