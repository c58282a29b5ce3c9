package dev.pawl.dashboard.internal.change;

import dev.pawl.JobQueue;
import dev.pawl.admin.Admin;
import dev.pawl.admin.DisplayState;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Changes of jobs that a user has selected one by one: rows of a list, or the job of a page. */
public final class SelectedChanges {
    /** The beginning of the name of a row's checkbox; the id of its job follows. */
    private static final String BOX = "job-";

    private static final int MAX = 100;
    private static final int MAX_SAID = 5;

    private final Admin admin;

    private SelectedChanges(Admin admin) {
        this.admin = admin;
    }

    /** Adds the changes. */
    public static void add(Changes changes, JobQueue queue) {
        SelectedChanges selected = new SelectedChanges(queue.admin());
        changes.add("/jobs/selected", selected::change);
        changes.add("/jobs/{id}/delete", call -> selected.one(call, new JobChange.Delete(), "is deleted", true));
        changes.add("/jobs/{id}/erase", call -> selected.one(call, new JobChange.Erase(), "is erased", true));
        changes.add("/jobs/{id}/move", call -> {
            String target = call.required("toQueue");
            return selected.one(call, new JobChange.Move(target), "is moved to queue " + target, false);
        });
    }

    private ChangeResponse one(Call call, JobChange change, String done, boolean isGone) {
        String job = "job " + call.id();
        Optional<String> why = apply(call.id(), change);
        if (why.isPresent()) {
            return ChangeResponse.not(admin.jobs().find(call.id()).isEmpty() ? 404 : 409, job + " " + why.get());
        }
        ChangeResponse response =
                ChangeResponse.of(job + " " + done, Map.of("job", call.id(), "result", MatchingChanges.word(change)));
        return isGone && call.isForm() ? response.goingTo("/jobs") : response;
    }

    private ChangeResponse change(Call call) {
        JobChange change = MatchingChanges.parse(call);
        Map<Long, String> left = new LinkedHashMap<>();
        SortedSet<Long> ids = ids(call);
        for (long id : ids) {
            apply(id, change).ifPresent(why -> left.put(id, why));
        }
        int changed = ids.size() - left.size();
        List<String> reasons = new ArrayList<>();
        left.forEach((id, why) -> reasons.add("job " + id + " " + why));
        String word = MatchingChanges.word(change);
        String text = String.format(Locale.ROOT, "%,d job(s) changed: %s", changed, word)
                + (reasons.isEmpty() ? "" : "; not changed: " + String.join("; ", few(reasons)))
                + (reasons.size() > MAX_SAID
                        ? String.format(Locale.ROOT, "; and %,d more", reasons.size() - MAX_SAID)
                        : "");
        return changed == 0
                ? ChangeResponse.not(409, text)
                : ChangeResponse.of(text, Map.of("changed", changed, "left", left.keySet()));
    }

    private static List<String> few(List<String> reasons) {
        return reasons.subList(0, Math.min(MAX_SAID, reasons.size()));
    }

    /** {@return the ids that the boxes of a form name, or the parameter {@code ids}} */
    private static SortedSet<Long> ids(Call call) {
        TreeSet<Long> ids = new TreeSet<>();
        call.parameters().keySet().stream()
                .filter(name -> name.startsWith(BOX))
                .forEach(name -> ids.add(id(name.substring(BOX.length()))));
        String list = call.parameter("ids");
        if (list != null) {
            for (String id : list.split(",", -1)) {
                ids.add(id(id.strip()));
            }
        }
        if (ids.isEmpty()) {
            throw new Refusal(400, "no job is selected: select some, or give ids=1,2,3");
        }
        if (ids.size() > MAX) {
            throw new Refusal(400, "more than " + MAX + " jobs are selected: change those that match a filter instead");
        }
        return ids;
    }

    private static long id(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "a selected job is not a number");
        }
        return Long.parseLong(text);
    }

    /** {@return why the job was not changed; empty if it was} */
    private Optional<String> apply(long id, JobChange change) {
        if (admin.jobs().changeAll(JobFilter.ALL.id(id), change, count -> {}).changed() == 1) {
            return Optional.empty();
        }
        return Optional.of(
                admin.jobs().find(id).map(job -> why(job, change)).orElse("does not exist, or it was pruned"));
    }

    private static String why(Job job, JobChange change) {
        String state = "is " + DisplayState.of(job, Instant.now()).word();
        if (change instanceof JobChange.Erase && job.state() == JobState.RUNNING) {
            return state + " and was asked to stop: erase it again when it has ended";
        }
        if (change instanceof JobChange.Delete && !job.state().isFinished()) {
            return state + ": only finished jobs can be deleted";
        }
        boolean isForWaiting = change instanceof JobChange.Move
                || change instanceof JobChange.Reschedule
                || change instanceof JobChange.Prioritize;
        return isForWaiting && !job.state().isWaiting()
                ? state + ": only jobs that wait can be changed so"
                : state + ", or locked by another transaction";
    }
}
