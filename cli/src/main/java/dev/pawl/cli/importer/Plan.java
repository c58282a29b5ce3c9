package dev.pawl.cli.importer;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobRequest;
import dev.pawl.schedule.ScheduleInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Decides what becomes of each row that was found. Confined to one thread. */
final class Plan {
    private final Ledger ledger;
    private final Map<String, ScheduleInfo> schedules = new HashMap<>();
    private final Map<String, String> kinds;
    private final EnqueueOptions options;
    private final boolean copy;
    /** Of the schedules that are there after the import. */
    private final Set<String> names = new HashSet<>();

    /**
     * @param ledger what was copied before
     * @param schedules that are there
     * @param kinds by the peer's names
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

    /** {@return one for each, schedules first} */
    List<Planned> of(List<Found> found) {
        List<Planned> plan = new ArrayList<>();
        found.stream().filter(Found::isSchedule).map(this::schedule).forEach(plan::add);
        found.stream().filter(each -> !each.isSchedule()).map(this::job).forEach(plan::add);
        return plan;
    }

    private Planned schedule(Found found) {
        Timetable timetable = found.timetable();
        if (found.refusal() != null || timetable == null) {
            return Planned.refused(found, found.refusal());
        }
        try {
            EnqueueOptions unused = EnqueueOptions.DEFAULTS.queue(timetable.schedule()); // checks the name
            JobRequest request = new JobRequest(kind(found), found.payload(), options.priority(found.priority()));
            ScheduleInfo there = schedules.get(timetable.schedule());
            boolean isSame = there != null
                    && there.kind().equals(request.kind())
                    && there.text().equals(timetable.recurrence().toString());
            if (there != null && !isSame) {
                return Planned.refused(
                        found,
                        "there is a schedule " + timetable.schedule()
                                + " already, which is another: 'pawl schedules remove' it, or leave this one");
            }
            if (!names.add(timetable.schedule())) {
                return Planned.refused(found, "another one of this import is called " + timetable.schedule() + ", too");
            }
            return new Planned(
                    found,
                    request,
                    there == null ? Line.Result.IMPORTED : Line.Result.ALREADY,
                    there == null ? null : "there is that schedule");
        } catch (InvalidJobException e) {
            return Planned.refused(found, e.getMessage());
        }
    }

    private Planned job(Found found) {
        if (found.refusal() != null) {
            return Planned.refused(found, found.refusal());
        }
        try {
            JobRequest request = new JobRequest(kind(found), found.payload(), options(found));
            Long before = ledger.jobId(found.id());
            if (before != null) {
                String where = "copied before, as job " + before;
                return new Planned(
                        found,
                        request,
                        Line.Result.ALREADY,
                        copy ? where : where + ": remove it there, nothing runs it twice then");
            }
            String covers = found.covers();
            return covers != null && names.contains(covers)
                    ? new Planned(found, request, Line.Result.COVERED, "the next tick of schedule " + covers)
                    : new Planned(found, request, Line.Result.IMPORTED, null);
        } catch (InvalidJobException e) {
            return Planned.refused(found, e.getMessage());
        }
    }

    private EnqueueOptions options(Found found) {
        EnqueueOptions job = options.priority(found.priority());
        if (found.due() != null) {
            job = job.availableAt(found.due());
        }
        return copy ? ledger.keyed(job, found.id()) : job;
    }

    /** Kinds know no dollar, which the names of nested classes have. */
    private String kind(Found found) {
        String mapped = kinds.get(found.peerName());
        return mapped == null ? found.peerName().replace('$', '.') : mapped;
    }
}
