package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.Workflow;
import dev.pawl.api.QueueFullException;
import dev.pawl.api.SchemaException;
import dev.pawl.api.TypeToken;
import dev.pawl.limit.Limit;
import dev.pawl.servers.TestServer;
import dev.pawl.servers.TestServers;
import java.util.List;
import org.junit.jupiter.api.Test;

@OneOfSqlite
class SqliteConformanceTest extends Conformance {
    @Override
    TestServer server() {
        return TestServers.sqlite();
    }

    @Test
    void aProgramLearnsWithinSecondsThatItsQueueMayHoldMore(Fixture fixture) {
        fixture.queue.limits().set(Limit.queue("default").maxWaiting(1));
        assertThat(fixture.queue.enqueue(GREET, "x").jobId()).isPositive();
        assertThatThrownBy(() -> fixture.queue.enqueue(GREET, "x")).isInstanceOf(QueueFullException.class);
        fixture.queue.limits().set(Limit.queue("default").maxWaiting(2));
        await().atMost(Fixture.SOON)
                .ignoreExceptionsInstanceOf(QueueFullException.class)
                .until(() -> fixture.queue.enqueue(GREET, "x").jobId() > 0);
    }

    /** SQLite sorts all remaining results for each page, unless they are requested in its scan order. */
    @Test
    void resultsAreReadInTheirOrder(Fixture fixture) throws Exception {
        ExplainingDataSource source = new ExplainingDataSource(fixture.pool, fixture.product.explain());
        try (JobQueue queue = JobQueue.builder(source.dataSource())
                .tablePrefix(fixture.prefix)
                .migrate(false)
                .open()) {
            Workflow workflow =
                    queue.workflow("w").jobs("parts", GREET, List.of("a", "b")).start();
            source.clear();
            workflow.results("parts", TypeToken.of(String.class), each -> {});
            assertThat(source.takePlans("pawl_result\\b"))
                    .hasSize(1)
                    .allSatisfy(
                            plan -> assertThat(plan.lines()).isNotEmpty().noneMatch(line -> line.contains("ORDER BY")));
        }
    }

    @Test
    void thereAreNoSchemas(Fixture fixture) {
        assertThatThrownBy(() -> JobQueue.builder(fixture.pool).schema("jobs").open())
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("SQLite has no schemas");
    }
}
