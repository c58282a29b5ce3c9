package dev.pawl.lab.database;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Nodes of one cluster that all take writes. A trial creates its database on the first node; the other nodes get it from there. */
record NodesTarget(List<ExternalTarget> nodes) implements Target {
    private static final String BETWEEN = "\\s+";

    static boolean isMeant(String text) {
        return text.strip().split(BETWEEN, 2).length > 1;
    }

    static NodesTarget of(String text) {
        List<ExternalTarget> nodes = List.of(text.strip().split(BETWEEN)).stream()
                .map(ExternalTarget::of)
                .toList();
        String product = nodes.get(0).product();
        if (!List.of("mariadb", "mysql").contains(product)
                || nodes.stream().anyMatch(node -> !node.product().equals(product))) {
            throw new IllegalArgumentException(
                    "nodes that all take writes are those of one cluster of MariaDB or MySQL: use URLs"
                            + " that all start with jdbc:mariadb:, or all with jdbc:mysql:");
        }
        return new NodesTarget(nodes);
    }

    @Override
    public String product() {
        return nodes.get(0).product();
    }

    @Override
    public String name() {
        return nodes.stream().map(ExternalTarget::name).collect(Collectors.joining(" + "));
    }

    /** Unknown: the processes of several servers cannot be told from those of other programs. */
    @Override
    public ServerLocation location() {
        return new ServerLocation(ServerLocation.Place.UNKNOWN, List.of());
    }

    @Override
    public Scratch scratch() throws SQLException {
        String name = ExternalTarget.newName();
        Scratch first = nodes.get(0).scratch(name);
        return new Scratch(
                first.product(),
                first.url(),
                first.ours(),
                first.drop(),
                nodes.stream().map(node -> node.urlOf(name)).toList());
    }
}
