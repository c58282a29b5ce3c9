package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.admin.CancelResult;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Lanes of the nodes of a cluster. One server plays all nodes. Each node is a pool whose sessions draw ids with an offset of their own, and
 * a rewritten query tells the program that its server is a node. Conflicts between nodes, which {@code ClusterTest} covers, cannot occur
 * here.
 */
@WhiteBox
interface NodeLanesContract extends Contract {
    /** Makes a read causal. */
    String CAUSAL = "wsrep_sync_wait";

    /** A program that is connected to one node. */
    final class Node implements AutoCloseable {
        final HikariDataSource pool;
        final DataSource sessions;
        final JobQueue queue;
        final ClaimStrategy lanes;

        /**
         * @param rewrite applied to each prepared statement
         * @param hooks called with each prepared statement
         */
        Node(Fixture fixture, int number, UnaryOperator<String> rewrite, TamperedDataSource.Tampering... hooks)
                throws SQLException {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(fixture.testDatabase.jdbcUrl());
            config.setMaximumPoolSize(5);
            config.setConnectionInitSql(
                    "SET SESSION auto_increment_increment = 3, SESSION auto_increment_offset = " + number);
            pool = new HikariDataSource(config);
            sessions = TamperedDataSource.of(TamperedDataSource.rewriting(pool, rewrite), hooks);
            queue = JobQueue.builder(sessions).tablePrefix(fixture.prefix).open();
            DatabaseProduct product = Databases.of(sessions, fixture.prefix);
            lanes = new SqlJobStore(product, new Database(sessions, product.dialect()), Retention.DEFAULTS)
                    .strategy(Strategy.LANES);
        }

        /** Rewrites the query whether a server is a node, so that it returns yes. */
        static UnaryOperator<String> answers(Fixture fixture) {
            return fixture.statements.rewriting("^SHOW GLOBAL VARIABLES.*", "SELECT 'wsrep_on', 'ON'");
        }

        long enqueue(String name) {
            return queue.enqueue(Fixture.GREET, name).jobId();
        }

        @Override
        public void close() {
            queue.close();
            pool.close();
        }
    }

    private void assumeNodes() {
        assumeTrue(LaneDatabase.of(fixture().database.dialect()).mayHaveNodes());
    }

    /** {@return a node with a lane of its own} */
    private Node node(int number, TamperedDataSource.Tampering... hooks) throws SQLException {
        return withLane(new Node(fixture(), number, Node.answers(fixture()), hooks));
    }

    private Node withLane(Node node) throws SQLException {
        assertThat(node.lanes.claim(fixture().request(1))).isEmpty();
        return node;
    }

    /**
     * Makes all jobs a minute old. The nodes draw ids from one counter, so each node skips ids, and a young job would wait for the missing
     * ids before its own.
     */
    private void makeOld() throws SQLException {
        fixture().execute("UPDATE pawl_lane_job SET created_at = created_at - INTERVAL 1 MINUTE");
    }

    private List<Long> claim(Node node, int limit) throws SQLException {
        return node.lanes.claim(fixture().request(limit)).stream()
                .map(Grant::job)
                .map(job -> job.id())
                .toList();
    }

    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void workersClaimFirstWhatWasEnqueuedOnTheirNode() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Node two = node(2)) {
            workBoth(one, two);
            List<Long> ofOne = new ArrayList<>();
            List<Long> ofTwo = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ofOne.add(one.enqueue("n" + i));
                ofTwo.add(two.enqueue("n" + i));
            }
            assertThat(ofOne).allMatch(id -> id % 3 == 1);
            assertThat(ofTwo).allMatch(id -> id % 3 == 2);
            makeOld();
            assertThat(claim(two, 3)).isEqualTo(ofTwo);
            assertThat(claim(one, 3)).isEqualTo(ofOne);
            assertThat(fixture().count("pawl_lane WHERE queue = 'default' AND node > 0"))
                    .isEqualTo(2);
            assertThat(fixture().count("pawl_lane_range WHERE node = 1")).isEqualTo(2);
            assertThat(fixture().count("pawl_lane_range WHERE node = 2")).isEqualTo(2);
        }
    }

    /**
     * Each node claims a job of its own that has waited longer than all later jobs. The claims get a time in the future, so that during the
     * whole test both nodes count as having claimed a moment ago.
     */
    private void workBoth(Node one, Node two) throws SQLException {
        for (Node node : List.of(one, two)) {
            long early = node.enqueue("early");
            makeOld();
            makeOld();
            assertThat(claim(node, 1)).containsExactly(early);
        }
        fixture().execute("UPDATE pawl_lane_range SET claimed_at = claimed_at + INTERVAL 1 HOUR");
    }

    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void jobsThatWaitAreClaimedOnAnotherNode() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Node two = node(2)) {
            List<Long> waiting =
                    IntStream.range(0, 5).mapToObj(i -> one.enqueue("n" + i)).toList();
            List<Long> claimed = new ArrayList<>();
            makeOld();
            await().atMost(Fixture.SOON).until(() -> claimed.addAll(claim(two, 10)) || !claimed.isEmpty());
            assertThat(claimed).isEqualTo(waiting);
            assertThat(claim(one, 10)).isEmpty();
        }
    }

    /** Two servers that replicate from each other draw their ids in steps, too, but are no nodes. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aServerThatIsNoNodeMayDrawIdsInSteps() throws Exception {
        assumeNodes();
        int[] causal = new int[1];
        TamperedDataSource.Tampering count = statement -> causal[0] += statement.contains(CAUSAL) ? 1 : 0;
        try (Node plain = new Node(fixture(), 2, sql -> sql, count);
                Connection open = plain.pool.getConnection()) {
            claim(plain, 1);
            open.setAutoCommit(false);
            plain.queue.within(open).enqueue(Fixture.GREET, "missing");
            long young = plain.enqueue("young");
            assertThat(claim(plain, 10)).containsExactly(young);
            open.rollback();
            assertThat(fixture().count("pawl_lane WHERE node > 0")).isZero();
            assertThat(fixture().count("pawl_lane_range WHERE node > 0")).isZero();
            assertThat(causal[0]).isZero();
        }
    }

    /** The jobs of a node whose workers are gone wait no longer than any other jobs. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void jobsOfANodeWithoutWorkersAreClaimedByBusyOnes() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Node two = node(2)) {
            List<Long> waiting =
                    IntStream.range(0, 5).mapToObj(i -> one.enqueue("n" + i)).toList();
            two.queue.enqueueAll(
                    Fixture.GREET,
                    IntStream.range(0, 3_000).mapToObj(i -> "n" + i).toList());
            makeOld();
            List<Long> claimed = new ArrayList<>();
            await().atMost(Fixture.SOON).until(() -> claimed.addAll(claim(two, 10)) && claimed.containsAll(waiting));
            assertThat(claim(two, 10)).as("it still has jobs of its own").isNotEmpty();
        }
    }

    /** A busy worker divides its claims, so that jobs of its own node and of other nodes wait equally. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aBusyWorkerClaimsHalfOfItsJobsFromItsOwnNode() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Node two = node(2)) {
            for (Node node : List.of(one, two)) {
                node.queue.enqueueAll(
                        Fixture.GREET,
                        IntStream.range(0, 3_000).mapToObj(i -> "n" + i).toList());
            }
            makeOld();
            await().atMost(Fixture.SOON)
                    .until(() ->
                            claim(two, 10).stream().filter(id -> id % 3 == 1).count() == 5);
        }
    }

    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void jobsWithDifferentOptionsAskForTheNodeOnce() throws Exception {
        assumeNodes();
        int[] asked = new int[1];
        try (Node one =
                node(1, fixture().statements.at("^(?!.*pawl).*auto_increment_offset", statement -> asked[0]++))) {
            asked[0] = 0;
            one.queue.enqueueAll(IntStream.range(0, 20)
                    .mapToObj(i -> new JobRequest("greet", "\"n\"", EnqueueOptions.DEFAULTS.tags("tag" + i)))
                    .toList());
            assertThat(asked[0]).isEqualTo(1);
            assertThat(fixture().count("pawl_lane_job WHERE tags IS NOT NULL")).isEqualTo(20);
        }
    }

    /**
     * The transaction with the missing id is likely to commit within milliseconds. If the young job were claimed before that, the missing
     * job would be found only a second later.
     */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aYoungJobBehindAMissingIdWaitsForIt() throws Exception {
        assumeNodes();
        String now =
                fixture().database.dialect().micros(fixture().database.dialect().now());
        String then = fixture().database.dialect().micros("created_at");
        boolean[] isStill = new boolean[1];
        UnaryOperator<String> still =
                fixture().statements.rewriting(Pattern.quote(then + ", " + now), then + ", " + then);
        UnaryOperator<String> answers = Node.answers(fixture());
        try (Node one = withLane(new Node(fixture(), 1, sql -> answers.apply(isStill[0] ? still.apply(sql) : sql)));
                Connection open = one.pool.getConnection()) {
            long before = one.enqueue("before");
            makeOld();
            open.setAutoCommit(false);
            long missing =
                    one.queue.within(open).enqueue(Fixture.GREET, "missing").jobId();
            long young = one.enqueue("young");
            assertThat(claim(one, 1)).containsExactly(before);
            isStill[0] = true;
            assertThat(claim(one, 10)).isEmpty();
            open.commit();
            assertThat(claim(one, 10)).containsExactly(missing, young);
        }
    }

    /** If a job's creation time is ahead of the clock, the age of the job is not known. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aJobWhoseClockIsAheadDoesNotWaitForAMissingId() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Connection open = one.pool.getConnection()) {
            open.setAutoCommit(false);
            one.queue.within(open).enqueue(Fixture.GREET, "missing");
            long ahead = one.enqueue("ahead");
            fixture().execute("UPDATE pawl_lane_job SET created_at = created_at + INTERVAL 1 HOUR WHERE id = " + ahead);
            // The transaction stays open, so a job that waits for the missing id would wait for an hour.
            await().atMost(Fixture.SOON).until(() -> claim(one, 10).equals(List.of(ahead)));
            open.rollback();
        }
    }

    /** The range that a cancel writes is no claim of another node, so claims need not take turns because of it. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void claimsDoNotTakeTurnsBecauseOfACancelledJob() throws Exception {
        assumeNodes();
        int[] turns = new int[1];
        TamperedDataSource.Tampering count =
                statement -> turns[0] += statement.contains(ClaimTurnContract.TURN) ? 1 : 0;
        try (Node one = node(1, count);
                Node two = node(2)) {
            long cancelled = one.enqueue("cancelled");
            long other = one.enqueue("other");
            makeOld();
            assertThat(two.queue.admin().jobs().cancel(cancelled)).isEqualTo(CancelResult.CANCELLED);
            assertThat(fixture().count("pawl_lane_range WHERE node = 2 AND leased_by = 0"))
                    .isEqualTo(1);
            assertThat(claim(one, 10)).containsExactly(other);
            assertThat(turns[0]).isZero();
        }
    }

    /** A program sends no more causal reads once its server has refused one; programs on other servers still send them. */
    @Test
    @RunsOn(Product.MARIADB)
    default void causalReadsAreGivenUpForOneServerOnly() throws Exception {
        assumeTrue(fixture().product == Product.MARIADB);
        int[] reads = new int[2];
        TamperedDataSource.Tampering refusing = fixture().statements.at(CAUSAL, statement -> {
            reads[0]++;
            throw new SQLException("You have an error in your SQL syntax", "42000", 1064);
        });
        TamperedDataSource.Tampering counting = fixture().statements.at(CAUSAL, statement -> reads[1]++);
        try (Node one = node(1, refusing);
                Node two = node(2, counting)) {
            for (Node other : List.of(one, two)) {
                Node its = other == one ? two : one;
                for (int i = 0; i < 2; i++) {
                    its.enqueue("n" + i);
                    makeOld();
                    await().atMost(Fixture.SOON).until(() -> !claim(other, 10).isEmpty());
                }
            }
        }
        assertThat(reads[0]).as("of the server that refuses them").isEqualTo(1);
    }

    /** A node that is too far behind refuses a causal read. This is no error, and the claim, which returns nothing, is tried again. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aConflictBeforeTheClaimIsNoError() throws Exception {
        assumeNodes();
        boolean[] refuse = new boolean[1];
        TamperedDataSource.Tampering refusing = fixture().statements.at("^SELECT id,.*pawl_lane_job", statement -> {
            throw new SQLException("Lock wait timeout exceeded; try restarting transaction", "HY000", 1205);
        });
        try (Node one = node(1, statement -> {
            if (refuse[0]) {
                refusing.before(statement);
            }
        })) {
            long id = one.enqueue("n");
            makeOld();
            refuse[0] = true;
            assertThat(claim(one, 1)).isEmpty();
            refuse[0] = false;
            assertThat(claim(one, 1)).containsExactly(id);
        }
    }

    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void eachNodeGetsALaneForEachPriorityThatHasOne() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Node two = node(2)) {
            fixture().execute("INSERT INTO pawl_lane (queue, priority, is_open, node) VALUES ('default', 5, TRUE, 1)");
            await().atMost(Fixture.SOON)
                    .until(() -> claim(two, 1).isEmpty()
                            && fixture().count("pawl_lane WHERE priority = 5 AND node = 2") == 1);
            long id = one.queue
                    .enqueue(Fixture.GREET, "n", EnqueueOptions.DEFAULTS.priority(5))
                    .jobId();
            assertThat(fixture().count("pawl_lane_job WHERE id = " + id)).isEqualTo(1);
        }
    }

    /** The queue changes from lanes to rows while one node has no workers. No job is left behind in the lanes of that node. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void rowsDrainTheLanesOfAllNodes() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Node two = node(2)) {
            Set<String> wanted = ConcurrentHashMap.newKeySet();
            for (int i = 0; i < 20; i++) {
                wanted.add("one " + i);
                wanted.add("two " + i);
                one.enqueue("one " + i);
                two.enqueue("two " + i);
            }
            fixture().admin.queues().setStrategy("default", Strategy.ROWS);
            Set<String> done = ConcurrentHashMap.newKeySet();
            try (Worker worker = Worker.on(one.queue)
                    .handle(Fixture.GREET, (name, run) -> done.add(name))
                    .pollInterval(Duration.ofMillis(50))
                    .start()) {
                await().atMost(Fixture.SOON).until(() -> done.equals(wanted) && worker.isAlive());
            }
            assertThat(fixture().count("pawl_lane WHERE is_open")).isZero();
        }
    }
}
