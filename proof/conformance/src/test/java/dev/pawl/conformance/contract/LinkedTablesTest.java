package dev.pawl.conformance.contract;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.feature.JobLink;
import dev.pawl.internal.feature.OrphanPolicy;
import dev.pawl.internal.feature.RowPolicy;
import dev.pawl.internal.feature.Transition;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each table is covered by the commands that delete jobs: a feature links it, or this test says why not. */
@WhiteBox
class LinkedTablesTest {
    private static final Pattern NAMES_A_JOB = Pattern.compile("(.*_)?job(_id)?");

    private static final Map<String, Set<String>> NOT_LINKED = Map.of(
            "the jobs themselves",
                    Set.of("pawl_job", "pawl_job_history", "pawl_lane_job", "pawl_lane_range", "pawl_lane_fence"),
            "about a queue, a kind or a key",
                    Set.of("pawl_queue", "pawl_lane", "pawl_limit", "pawl_key", "pawl_retention"),
            "about a worker, or a process",
                    Set.of("pawl_worker", "pawl_remote_worker", "pawl_permit", "pawl_leader", "pawl_schema"),
            "about a batch or a node of a workflow, and deleted with it",
                    Set.of("pawl_batch", "pawl_batch_count", "pawl_batch_pause", "pawl_node", "pawl_edge"),
            "about a series of slots", Set.of("pawl_slot_series"),
            "figures of queues", Set.of("pawl_sample"));

    private static List<JobLink> links() {
        return Features.installed().stream()
                .flatMap(feature -> feature.links().stream())
                .toList();
    }

    /** {@return the columns of each table of a newly migrated database} */
    private static Map<String, Set<String>> schema() throws SQLException {
        Map<String, Set<String>> tables = new TreeMap<>();
        try (TestDatabase database = TestServers.sqlite().createDatabase();
                HikariDataSource pool = database.newDataSource(2);
                JobQueue queue = JobQueue.open(pool);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet columns = statement.executeQuery("SELECT t.name, c.name FROM sqlite_master t"
                        + " JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name LIKE 'pawl_%'")) {
            assertThat(queue.admin().queues().list(Admin.UNLIMITED)).isEmpty();
            while (columns.next()) {
                tables.computeIfAbsent(columns.getString(1), name -> new TreeSet<>())
                        .add(columns.getString(2));
            }
        }
        return tables;
    }

    @Test
    void everyTableIsLinkedOrHasAReason() throws Exception {
        Set<String> decided = NOT_LINKED.values().stream().flatMap(Set::stream).collect(toSet());
        links().forEach(link -> decided.add(link.table()));
        assertThat(schema().keySet())
                .as("link a new table in the class of its feature, or say in this test why it hangs on no job")
                .containsExactlyInAnyOrderElementsOf(decided);
    }

    @Test
    void everyColumnWithTheIdOfAJobIsLinked() throws Exception {
        Set<String> linked = links().stream()
                .map(link -> link.table() + "." + link.jobColumn())
                .collect(toSet());
        Set<String> found = new TreeSet<>();
        schema().forEach((table, columns) -> columns.stream()
                .filter(column -> NAMES_A_JOB.matcher(column).matches())
                .forEach(column -> found.add(table + "." + column)));
        assertThat(found).containsExactlyInAnyOrderElementsOf(linked);
    }

    @Test
    void everySweepNamesAColumn() throws Exception {
        Map<String, Set<String>> schema = schema();
        for (JobLink link : links()) {
            if (link.orphans() instanceof OrphanPolicy.Sweep sweep) {
                assertThat(schema.get(link.table())).contains(sweep.momentColumn());
            } else {
                assertThat(((OrphanPolicy.Ignore) link.orphans()).reason()).isNotBlank();
            }
        }
    }

    /** Rows are deleted in the order of their locks. */
    @Test
    void theOrderOfDeletionsIsFixed() {
        assertThat(deleted(Transition.PRUNE))
                .isEqualTo(deleted(Transition.DELETE))
                .containsExactly("pawl_attempt", "pawl_job_log", "pawl_assignment", "pawl_step", "pawl_result");
        assertThat(deleted(Transition.ERASE))
                .containsExactly(
                        "pawl_attempt",
                        "pawl_job_log",
                        "pawl_assignment",
                        "pawl_step",
                        "pawl_result",
                        "pawl_unique",
                        "pawl_keyed");
        assertThat(deleted(Transition.CANCEL)).containsExactly("pawl_keyed");
    }

    private static List<String> deleted(Transition transition) {
        return Features.installed().stream()
                .filter(feature -> !(feature.on(transition).rows() instanceof RowPolicy.Keep))
                .flatMap(feature -> feature.links().stream())
                .map(JobLink::table)
                .toList();
    }
}
