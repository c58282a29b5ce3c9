package dev.pawl.internal.lane;

import dev.pawl.internal.feature.QueueBounds;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the lanes of a database. It is read again when an unknown lane is needed, at most a few times a second,
 * because lanes are rarely opened and never removed. The same statement reads the backlog limits of queues.
 * Thread-safe.
 */
public final class Lanes implements QueueBounds {
    /**
     * Maximum number of lanes of one queue (and node), because each lane costs a read at every claim. Further priorities have no lane.
     */
    private static final int MAX_OF_A_QUEUE = 8;

    private static final String READ = """
            SELECT id, queue, priority, is_open, node, 0 FROM pawl_lane
            UNION ALL SELECT 0, name, 0, FALSE, 0, max_waiting FROM pawl_limit
                       WHERE subject = 'queue' AND max_waiting IS NOT NULL""";

    private static final String NODE = " UNION ALL SELECT 0, '', %s, FALSE, %s, -1";

    private static final Duration UNUSED_AGE = Duration.ofSeconds(5);

    /** How long to cache whether the server is a node. */
    private static final long NODE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Limit of attempts to find a free id for a new lane; it is never reached. */
    private static final int MAX_IDS = 5;

    private final Dialect dialect;
    private final LaneDatabase product;
    private final Sql read;
    private final @Nullable Sql readNode;
    private volatile Map<String, List<Lane>> byQueue = Map.of();
    private volatile Map<String, Integer> maxWaiting = Map.of();
    private volatile long readNanos;
    private volatile boolean isRead;
    private volatile int node;
    private volatile int idStep = 1;
    private volatile @Nullable Node known;
    /** Lanes that were known but are missing from the database now. */
    private final Set<Lane> lost = ConcurrentHashMap.newKeySet();

    /** Whether the server is a node, and when this was read. */
    private record Node(boolean isOne, long nanos) {}

    /**
     * @param dialect the product
     */
    public Lanes(Dialect dialect) {
        this(dialect, LaneDatabase.of(dialect).mayHaveNodes());
    }

    private Lanes(Dialect dialect, boolean nodes) {
        this.dialect = dialect;
        this.product = LaneDatabase.of(dialect);
        this.read = dialect.statement(nodes ? READ + NODE.formatted(product.idStep(), product.node()) : READ);
        this.readNode = nodes ? dialect.statement("SELECT " + product.node()) : null;
    }

    /** {@return the lanes of all nodes; does not read on which node this process is} */
    static List<Lane> all(Connection connection, Dialect dialect) throws SQLException {
        Lanes lanes = new Lanes(dialect, false);
        lanes.read(connection);
        return lanes.all();
    }

    /** {@return the node on which lanes were read last; 0 for a server that is not part of a cluster whose nodes all take writes} */
    int node() {
        return node;
    }

    /** {@return the difference between consecutive ids that this node draws} */
    int idStep() {
        return idStep;
    }

    /**
     * {@return the node of a session; 0 for a server that is not part of a cluster whose nodes all take writes}
     *
     * @param connection to this database
     * @throws SQLException from the driver
     */
    int node(Connection connection) throws SQLException {
        return readNode != null && node != 0 ? readNode.on(connection).one(row -> row.getInt(1)) : 0;
    }

    /** {@return the lanes of a queue, smallest priority first} */
    public List<Lane> ofQueue(String queue) {
        return byQueue.getOrDefault(queue, List.of());
    }

    /** {@return the lanes of a queue whose jobs are enqueued on this process's node, smallest priority first} */
    List<Lane> ofNode(String queue) {
        return ofQueue(queue).stream().filter(this::isOfNode).toList();
    }

    /** {@return the lanes of a queue for the jobs of other nodes, smallest priority first} */
    List<Lane> ofOthers(String queue) {
        return ofQueue(queue).stream().filter(lane -> !isOfNode(lane)).toList();
    }

    /**
     * Whether a lane belongs to this process's node. On a single server all lanes belong to it, because the server may have been part of a
     * cluster before.
     */
    boolean isOfNode(Lane lane) {
        return node == 0 || lane.node() == node;
    }

    /** {@return the nodes with lanes for the same queue and priority} */
    int[] nodes(Lane lane) {
        return ofQueue(lane.queue()).stream()
                .filter(each -> each.priority() == lane.priority())
                .mapToInt(Lane::node)
                .sorted()
                .toArray();
    }

    /** {@return the lane for new jobs; null if none is known to be open} */
    public @Nullable Lane open(String queue, int priority) {
        return open(queue, priority, node);
    }

    /**
     * {@return the lane for new jobs that are enqueued on a node; null if none is known to be open} If the node has no lane, because no
     * worker is connected to it, this is the lane of another node.
     */
    @Nullable
    Lane open(String queue, int priority, int ofNode) {
        Lane found = null;
        for (Lane lane : ofQueue(queue)) {
            if (lane.priority() == priority && lane.isOpen() && (found == null || lane.node() == ofNode)) {
                found = lane;
            }
        }
        return found;
    }

    @Override
    public Map<String, Integer> maxWaiting(Connection connection, Duration maxAge) throws SQLException {
        if (isOlderThan(maxAge)) {
            read(connection);
        }
        return maxWaiting;
    }

    /** {@return whether the cache is older than this} */
    public boolean isOlderThan(Duration age) {
        return !isRead || System.nanoTime() - readNanos > age.toNanos();
    }

    /**
     * Reads all lanes again.
     *
     * @param connection to the database, in or out of a transaction
     * @throws SQLException from the driver
     */
    public void read(Connection connection) throws SQLException {
        long now = System.nanoTime();
        List<Lane> all = new ArrayList<>();
        Map<String, Integer> bounds = new HashMap<>();
        int[] here = {0, 1};
        read.on(connection).each(rows -> {
            int most = rows.getInt(6);
            if (most < 0) {
                here[0] = rows.getInt(5);
                here[1] = rows.getInt(3);
            } else if (most > 0) {
                bounds.put(rows.getString(2), most);
            } else {
                all.add(new Lane(
                        rows.getInt(1), rows.getString(2), rows.getInt(3), rows.getBoolean(4), rows.getInt(5)));
            }
        });
        all.sort(Comparator.comparingInt(Lane::priority));
        Set<Integer> there = all.stream().map(Lane::id).collect(Collectors.toSet());
        all().stream().filter(lane -> !there.contains(lane.id())).forEach(lost::add);
        boolean isNode = here[1] > 1 && isNode(connection);
        node = isNode ? here[0] : 0;
        idStep = isNode ? here[1] : 1;
        byQueue = all.stream().collect(Collectors.groupingBy(Lane::queue));
        maxWaiting = Map.copyOf(bounds);
        readNanos = now;
        isRead = true;
    }

    private boolean isNode(Connection connection) throws SQLException {
        Node before = known;
        long now = System.nanoTime();
        if (before != null && now - before.nanos < NODE_NANOS) {
            return before.isOne;
        }
        boolean is = product.isNode(connection, dialect);
        known = new Node(is, now);
        return is;
    }

    /** {@return whether no queue has a lane; reads again every few seconds} */
    boolean isUnused(Database database) throws SQLException {
        if (isOlderThan(UNUSED_AGE)) {
            boolean unused = database.autocommit(connection -> {
                read(connection);
                return true;
            });
        }
        return byQueue.isEmpty();
    }

    /** {@return all lanes} */
    public List<Lane> all() {
        return byQueue.values().stream().flatMap(List::stream).toList();
    }

    /** {@return whether a queue may get one more lane} */
    boolean hasRoom(String queue) {
        return ofNode(queue).size() < MAX_OF_A_QUEUE;
    }

    /**
     * Opens a lane for jobs that are enqueued on this process's node, unless it exists. The caller should commit at once, because other
     * transactions that open the same lane wait for the commit.
     */
    void open(Connection connection, String queue, int priority) throws SQLException {
        for (int tries = 0; tries < MAX_IDS; tries++) {
            Lane lane = new Lane(Lane.id(queue, priority, node, tries), queue, priority, true, node);
            if (insert(connection, lane) || exists(connection, lane)) {
                return;
            }
        }
    }

    /**
     * Reopens lanes that the database has lost with its last commits; lanes are never removed otherwise. This makes the
     * jobs that were written to these lanes visible again.
     */
    void reopenLost(Connection connection) throws SQLException {
        for (Lane lane : List.copyOf(lost)) {
            boolean unused = insert(connection, lane);
            lost.remove(lane);
        }
    }

    boolean anyLost() {
        return !lost.isEmpty();
    }

    private boolean insert(Connection connection, Lane lane) throws SQLException {
        String sql = dialect.insertIfMissing(
                "pawl_lane (id, queue, priority, is_open, node)" + dialect.ownIds() + " VALUES (?, ?, ?, ?, ?)");
        return dialect.statement(sql)
                        .on(connection, lane.id(), lane.queue(), lane.priority(), lane.isOpen(), lane.node())
                        .update()
                == 1;
    }

    private boolean exists(Connection connection, Lane lane) throws SQLException {
        Sql sql = dialect.statement("SELECT 1 FROM pawl_lane WHERE queue = ? AND priority = ? AND node = ?");
        return sql.on(connection, lane.queue(), lane.priority(), lane.node()).exists();
    }
}
