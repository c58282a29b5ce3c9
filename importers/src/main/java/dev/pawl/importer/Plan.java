package dev.pawl.importer;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.cli.ImportLine;
import dev.pawl.schedule.ScheduleInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides how to import each row. Confined to one thread. */
final class Plan {
    private final Ledger ledger;
    private final Map<String, ScheduleInfo> schedules = new HashMap<>();
    private final Map<String, String> kinds;
    private final EnqueueOptions options;
    private final boolean copy;
    /** Names of the imported schedules, including those that existed here before. */
    private final Set<String> names = new HashSet<>();

    /**
     * @param ledger of earlier copies
     * @param schedules that exist
     * @param kinds the kind of each job here, by the peer's name for it
     * @param options of every job
     * @param copy whether the peer keeps its rows
     */
    Plan(Ledger ledger, List<ScheduleInfo> schedules, Map<String, String> kinds, EnqueueOptions options, boolean copy) {
        this.ledger = ledger;
        schedules.forEach(each -> this.schedules.put(each.name(), each));
        this.kinds = Map.copyOf(kinds);
        this.options = options;
        this.copy = copy;
    }

    /** {@return one plan per row, schedules first} */
    List<PlannedRow> of(List<PeerRow> found) {
        List<PlannedRow> plan = new ArrayList<>();
        found.stream().filter(PeerRow::isSchedule).map(this::schedule).forEach(plan::add);
        found.stream().filter(each -> !each.isSchedule()).map(this::job).forEach(plan::add);
        return plan;
    }

    private PlannedRow schedule(PeerRow found) {
        Timetable timetable = found.timetable();
        if (found.refusal() != null || timetable == null) {
            return PlannedRow.refused(found, found.refusal());
        }
        try {
            EnqueueOptions unused = EnqueueOptions.DEFAULTS.queue(timetable.schedule()); // validates the name
            JobRequest request = new JobRequest(kind(found), found.payload(), options.priority(found.priority()));
            ScheduleInfo there = schedules.get(timetable.schedule());
            boolean isSame = there != null
                    && there.kind().equals(request.kind())
                    && there.text().equals(timetable.recurrence().toString());
            if (there != null && !isSame) {
                return PlannedRow.refused(
                        found,
                        "another schedule " + timetable.schedule()
                                + " exists: remove it with 'pawl remove schedule', or leave this one out");
            }
            if (!names.add(timetable.schedule())) {
                return PlannedRow.refused(
                        found, "another schedule of this import is called " + timetable.schedule() + ", too");
            }
            return new PlannedRow(
                    found,
                    request,
                    there == null ? ImportLine.Result.IMPORTED : ImportLine.Result.ALREADY,
                    there == null ? null : "this schedule exists");
        } catch (IllegalArgumentException e) {
            return PlannedRow.refused(found, e.getMessage());
        }
    }

    private PlannedRow job(PeerRow found) {
        if (found.refusal() != null) {
            return PlannedRow.refused(found, found.refusal());
        }
        try {
            JobRequest request = new JobRequest(kind(found), found.payload(), options(found));
            Long before = ledger.jobId(found.id());
            if (before != null) {
                String where = "copied before, as job " + before;
                return new PlannedRow(
                        found,
                        request,
                        ImportLine.Result.ALREADY,
                        copy ? where : where + ": remove it there, so that it does not run twice");
            }
            String covers = found.covers();
            return covers != null && names.contains(covers)
                    ? new PlannedRow(found, request, ImportLine.Result.COVERED, "the next tick of schedule " + covers)
                    : new PlannedRow(found, request, ImportLine.Result.IMPORTED, null);
        } catch (IllegalArgumentException e) {
            return PlannedRow.refused(found, e.getMessage());
        }
    }

    private EnqueueOptions options(PeerRow found) {
        EnqueueOptions job = options.priority(found.priority());
        if (found.due() != null) {
            job = job.availableAt(found.due());
        }
        return copy ? ledger.keyed(job, found.id()) : job;
    }

    /** Kinds may not contain a dollar sign, which the names of nested classes have. */
    private String kind(PeerRow found) {
        String mapped = kinds.get(found.peerName());
        return mapped == null ? found.peerName().replace('$', '.') : mapped;
    }
}
