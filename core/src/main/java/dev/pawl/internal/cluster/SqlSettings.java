package dev.pawl.internal.cluster;

import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.WorkerSetting;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.jdbc.Sql;
import dev.pawl.internal.store.JobStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reads the settings of workers, with the database's time, in one statement. Features add theirs. */
public final class SqlSettings {
    private final Map<String, WorkerSetting> settings;
    private final Sql read;

    /**
     * @param dialect of the database
     * @param features whose settings are read as well
     */
    public SqlSettings(Dialect dialect, List<Feature> features) {
        List<WorkerSetting> all = new ArrayList<>(List.of(
                new WorkerSetting(
                        "strategy",
                        "name",
                        "strategy",
                        "0",
                        "FROM pawl_queue WHERE strategy IS NOT NULL",
                        (row, read) -> read.strategy(row.about(), row.name())),
                new WorkerSetting(
                        "now",
                        "NULL",
                        "NULL",
                        dialect.micros(dialect.now()),
                        "",
                        (row, read) -> read.now(row.number()))));
        features.forEach(feature -> all.addAll(feature.workerSettings(dialect)));
        settings = all.stream().collect(Collectors.toUnmodifiableMap(WorkerSetting::source, setting -> setting));
        read = dialect.statement(all.stream()
                .map(each -> "SELECT '" + each.source() + "', " + each.about() + ", " + each.name() + ", "
                        + each.number() + " " + each.from())
                .collect(Collectors.joining(" UNION ALL ")));
    }

    /**
     * @param connection to read with
     * @return the settings as they are written
     * @throws SQLException from the driver
     */
    public JobStore.Settings read(Connection connection) throws SQLException {
        return read.on(connection).query(this::read);
    }

    private JobStore.Settings read(ResultSet rows) throws SQLException {
        JobStore.Settings.Builder builder = new JobStore.Settings.Builder();
        while (rows.next()) {
            WorkerSetting setting = Objects.requireNonNull(settings.get(rows.getString(1)));
            String about = Objects.requireNonNullElse(rows.getString(2), "");
            String name = Objects.requireNonNullElse(rows.getString(3), "");
            setting.reader().read(new WorkerSetting.Row(about, name, rows.getLong(4)), builder);
        }
        return builder.build();
    }
}
