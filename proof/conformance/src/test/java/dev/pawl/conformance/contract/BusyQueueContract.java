package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.conformance.RunsOn;
import dev.pawl.internal.assembly.Databases;
import dev.pawl.internal.assembly.SqlJobStore;
import dev.pawl.internal.database.DatabaseProduct;
import dev.pawl.internal.jdbc.ClaimTurn;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.lane.LaneDatabase;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.servers.Delay;
import dev.pawl.servers.Product;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of rows from a queue with many of them: on MySQL and MariaDB they search behind the running jobs, and take turns. */
@WhiteBox
interface BusyQueueContract extends Contract {
    /** The name of the turns of the queue. */
    String PLACE = "queue " + Integer.toHexString("default".hashCode());

    private ClaimStrategy rows() {
        return fixture().store.strategy(Strategy.ROWS);
    }

    private List<Long> enqueueRows(int jobs) {
        return Stream.generate(fixture()::enqueueRow).limit(jobs).toList();
    }

    private List<Long> claim(ClaimStrategy by, int limit) throws SQLException {
        return fixture().claimBy(by, limit).stream()
                .map(grant -> grant.lease().jobId())
                .toList();
    }

    private static <T> List<T> both(List<T> some, List<T> others) {
        List<T> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    private static void work(long millis) {
        try {
            Delay.work(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    default void jobsAreClaimedInTheirOrder() throws Exception {
        ClaimStrategy by = rows();
        List<Long> jobs = enqueueRows(35);
        for (int from = 0; from < 30; from += 10) {
            assertThat(claim(by, 10)).containsExactlyElementsOf(jobs.subList(from, from + 10));
        }
        assertThat(claim(by, 10)).containsExactlyElementsOf(jobs.subList(30, 35));
        assertThat(claim(by, 10)).isEmpty();
    }

    /** A released job is before the running ones in the order. */
    @Test
    default void aJobThatBecomesAvailableBeforeTheRunningOnesIsFound() throws Exception {
        ClaimStrategy by = rows();
        List<Long> jobs = enqueueRows(30);
        assertThat(claim(by, 10)).hasSize(10);
        List<Grant> second = fixture().claimBy(by, 10);
        assertThat(by.release(List.of(second.get(3).lease()))).hasSize(1);
        List<Long> last = both(claim(by, 10), claim(by, 10));
        assertThat(last)
                .containsExactlyInAnyOrderElementsOf(
                        both(jobs.subList(20, 30), List.of(second.get(3).job().id())));
    }

    @Test
    default void aSmallerPriorityIsClaimedFirst() throws Exception {
        ClaimStrategy by = rows();
        List<Long> jobs = enqueueRows(30);
        assertThat(claim(by, 10)).containsExactlyElementsOf(jobs.subList(0, 10));
        long urgent = fixture().enqueue(EnqueueOptions.DEFAULTS.priority(-1).uniqueKey("urgent"));
        assertThat(claim(by, 10)).containsExactlyElementsOf(both(List.of(urgent), jobs.subList(10, 19)));
        assertThat(claim(by, 20)).containsExactlyElementsOf(jobs.subList(19, 30));
    }

    @Test
    default void nothingIsClaimedFromABusyQueueThatIsPaused() throws Exception {
        ClaimStrategy by = rows();
        List<Long> jobs = enqueueRows(30);
        assertThat(claim(by, 10)).hasSize(10);
        fixture().admin.queues().pause("default");
        assertThat(claim(by, 10)).isEmpty();
        fixture().admin.queues().resume("default");
        assertThat(claim(by, 10)).containsExactlyElementsOf(jobs.subList(10, 20));
    }

    @Test
    @RunsOn({Product.MARIADB, Product.MYSQL})
    default void claimsTakeTurnsWhereTheyAreSlow() throws Exception {
        enqueueRows(40);
        int[] turns = new int[1];
        TamperedDataSource.Tampering slow = statement -> {
            if (statement.contains("GET_LOCK")) {
                turns[0]++;
            } else if (statement.endsWith("FOR UPDATE SKIP LOCKED")) {
                work(20);
            }
        };
        DatabaseProduct product = Databases.of(fixture().pool, fixture().prefix);
        Database database = new Database(TamperedDataSource.of(fixture().pool, slow), product.dialect());
        ClaimStrategy by = new SqlJobStore(product, database, Retention.DEFAULTS).strategy(Strategy.ROWS);
        assertThat(claim(by, 10)).hasSize(10);
        assertThat(turns[0]).isZero();
        assertThat(claim(by, 10)).hasSize(10);
        assertThat(turns[0]).isEqualTo(1);
        assertThat(by.lost()).isZero();
        ClaimTurn turn =
                Objects.requireNonNull(LaneDatabase.of(product.dialect()).turn(product.dialect()));
        try (Connection frozen = fixture().pool.getConnection()) {
            assertThat(turn.isFree(frozen, PLACE))
                    .as("the claims have ended their turns")
                    .isTrue();
            assertThat(claim(by, 10)).as("it waits for a second").hasSize(10);
            assertThat(by.lost()).isEqualTo(1);
            assertThat(claim(by, 10)).hasSize(10);
            assertThat(by.lost()).as("then claims race").isEqualTo(1);
            turn.end(frozen, PLACE);
        }
    }
}
