package dev.pawl.importer;

import dev.pawl.cli.ImportLine;
import dev.pawl.cli.Importer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Imports from Quartz, db-scheduler and JobRunr, for the command {@code pawl import}. Immutable. */
public final class PeerImporter implements Importer {
    /** Has no settings; the command line creates it by {@link java.util.ServiceLoader}. */
    public PeerImporter() {}

    @Override
    public List<ImportLine> run(
            Source source, Connection from, Target target, Map<String, String> kinds, boolean dryRun)
            throws SQLException {
        return new Import(target, peer(source), source.copy()).run(from, kinds, dryRun);
    }

    private static Peer peer(Source source) {
        String tables = source.tables();
        return switch (source.peer()) {
            case "quartz" -> new Quartz(tables == null ? "QRTZ_" : tables);
            case "jobrunr" -> new JobRunr(tables == null ? "" : tables);
            case "db-scheduler" ->
                new DbScheduler(tables == null ? "scheduled_tasks" : tables, source.zone(), source.base64());
            default -> throw new IllegalArgumentException(source.peer());
        };
    }
}
