package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.Worker;
import dev.pawl.api.EnqueueOptions;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Lanes of the nodes of a cluster. One server plays all nodes: each has sessions with an offset of its own for new ids, by which a node is
 * known. It cannot show conflicts, which {@code ClusterTest} does.
 */
@WhiteBox
interface NodeLanesContract extends Contract {
    /** A program that is connected to one node. */
    final class Node implements AutoCloseable {
        final HikariDataSource pool;
        final JobQueue queue;
        final ClaimStrategy lanes;

        Node(Fixture fixture, int number) throws SQLException {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(fixture.testDatabase.jdbcUrl());
            config.setMaximumPoolSize(5);
            config.setConnectionInitSql(
                    "SET SESSION auto_increment_increment = 3, SESSION auto_increment_offset = " + number);
            pool = new HikariDataSource(config);
            queue = JobQueue.builder(pool).tablePrefix(fixture.prefix).open();
            DatabaseProduct product = Databases.of(pool, fixture.prefix);
            lanes = new SqlJobStore(product, new Database(pool, product.dialect()), Retention.DEFAULTS)
                    .strategy(Strategy.LANES);
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

    /** Both have a lane. */
    private Node node(int number) throws SQLException {
        Node node = new Node(fixture(), number);
        assertThat(node.lanes.claim(fixture().request(1))).isEmpty();
        return node;
    }

    /** The nodes of one server draw from one counter, so ids are missing. */
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
            assertThat(fixture().count("pawl_lane_range WHERE node = 1")).isEqualTo(1);
            assertThat(fixture().count("pawl_lane_range WHERE node = 2")).isEqualTo(1);
        }
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

    /** Its transaction is likely to commit within milliseconds; afterwards the job would be found a second later. */
    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void aYoungJobBehindAMissingIdWaitsForIt() throws Exception {
        assumeNodes();
        try (Node one = node(1);
                Connection open = one.pool.getConnection()) {
            long before = one.enqueue("before");
            makeOld();
            open.setAutoCommit(false);
            long missing =
                    one.queue.within(open).enqueue(Fixture.GREET, "missing").jobId();
            long young = one.enqueue("young");
            fixture().execute("UPDATE pawl_lane_job SET created_at = created_at + INTERVAL 1 HOUR WHERE id = " + young);
            assertThat(claim(one, 10)).containsExactly(before);
            assertThat(claim(one, 10)).isEmpty();
            open.commit();
            assertThat(claim(one, 10)).containsExactly(missing, young);
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

    /** A node without workers, and rows instead of lanes: nothing is left behind. */
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
