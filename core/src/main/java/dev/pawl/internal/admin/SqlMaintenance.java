package dev.pawl.internal.admin;

import dev.pawl.admin.Finding;
import dev.pawl.admin.Maintenance;
import dev.pawl.admin.QueueAdmin;
import dev.pawl.admin.RetentionRule;
import dev.pawl.admin.RunAdmin;
import dev.pawl.admin.StalledJob;
import dev.pawl.admin.TableSize;
import dev.pawl.admin.Tuning;
import dev.pawl.admin.UnattendedJobs;
import dev.pawl.api.Retention;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.place.JobPlace;
import dev.pawl.internal.place.JobPlaces;
import dev.pawl.internal.retention.Pruner;
import dev.pawl.internal.retention.RetentionRows;
import dev.pawl.internal.store.JobStore;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Retention, diagnosis and the tables. */
final class SqlMaintenance implements Maintenance {
    private final AdminCalls calls;
    private final Pruner pruner;
    private final TableCare tables;
    private final JobStore store;
    private final QueueAdmin queues;
    private final RunAdmin runs;
    private final List<Feature> features;
    private final RetentionRows retentions;

    /**
     * @param calls reach the database
     * @param store knows the strategy that suits the database
     * @param pruner deletes jobs whose retention has ended
     * @param tables examines and rebuilds tables of this database product
     * @param queues finds jobs that no worker handles
     * @param runs finds runs that take too long
     */
    SqlMaintenance(
            AdminCalls calls, JobStore store, Pruner pruner, TableCare tables, QueueAdmin queues, RunAdmin runs) {
        Database database = calls.database();
        this.calls = calls;
        this.store = store;
        this.pruner = pruner;
        this.tables = tables;
        this.queues = queues;
        this.runs = runs;
        this.features = Features.installed();
        this.retentions = new RetentionRows(database);
    }

    @Override
    public List<Finding> diagnose() {
        List<UnattendedJobs> unattended = queues.unattended();
        List<StalledJob> stalled = runs.stalled().jobs();
        List<Finding> ofFeatures = calls.run("cannot examine what features have stored", this::findingsOfFeatures);
        return calls.read(
                "cannot examine the database",
                connection -> Doctor.examine(
                        connection,
                        calls.database().dialect(),
                        tables,
                        store.choice(),
                        new Doctor.Known(
                                unattended,
                                stalled,
                                ofFeatures,
                                calls.database().unsuitedSettings())));
    }

    private List<Finding> findingsOfFeatures() throws SQLException {
        List<Finding> findings = new ArrayList<>();
        for (Feature feature : features) {
            findings.addAll(feature.findings(calls.database()));
        }
        for (JobPlace place : JobPlaces.installed()) {
            findings.addAll(place.findings(calls.database()));
        }
        return findings;
    }

    @Override
    public List<TableSize> tables() {
        return calls.read(
                "cannot read the sizes of the tables",
                connection -> tables.sizes(connection, calls.database().dialect()));
    }

    @Override
    public void tune(Tuning tuning) {
        calls.run(
                "cannot tune the tables",
                () -> calls.database().transaction(connection -> {
                    tables.tune(connection, tuning);
                    return true;
                }));
    }

    @Override
    public long prune(Retention retention) {
        return calls.run("cannot prune", () -> pruner.pruneAll(retention));
    }

    @Override
    public void setRetention(RetentionRule rule) {
        if (rule.completed() == null && rule.cancelled() == null && rule.discarded() == null) {
            throw new IllegalArgumentException(
                    "the retention of " + rule.subject()
                            + " says nothing: give completed(…), cancelled(…) or discarded(…); to remove it, call clearRetention(…)");
        }
        calls.run("cannot set the retention of " + rule.subject(), () -> {
            retentions.set(rule);
            return true;
        });
    }

    @Override
    public boolean clearRetention(Subject subject) {
        return calls.run("cannot remove the retention of " + subject, () -> retentions.remove(subject));
    }

    @Override
    public Optional<Retention> storedRetention() {
        return calls.run("cannot read the retention", retentions::ofProgram);
    }

    @Override
    public boolean clearStoredRetention() {
        return calls.run("cannot remove the stored retention", retentions::removeOfProgram);
    }

    @Override
    public List<RetentionRule> retentions() {
        return calls.run("cannot list the retentions", retentions::list);
    }
}
