package dev.pawl.dashboard.internal.page;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import dev.pawl.dashboard.internal.web.Routes;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.ScheduleInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The pages about recurring jobs. */
public final class SchedulePages {
    private static final int NEXT = 5;
    private static final int LAST = 50;

    private final JobQueue queue;
    private final Snapshots snapshots;
    private final Templates templates;

    private SchedulePages(JobQueue queue, Snapshots snapshots, Templates templates) {
        this.queue = queue;
        this.snapshots = snapshots;
        this.templates = templates;
    }

    static void add(Routes routes, JobQueue queue, Snapshots snapshots, Templates templates) {
        SchedulePages pages = new SchedulePages(queue, snapshots, templates);
        routes.get("/schedules", pages::list);
        routes.get("/schedules/one", pages::one);
    }

    /** {@return when it is due, as text} */
    static String words(ScheduleInfo schedule) {
        Recurrence recurrence = schedule.recurrence();
        return recurrence == null ? schedule.text() : recurrence.words();
    }

    /**
     * A schedule as a row of a table.
     *
     * @param info its state
     * @param words when it is due
     */
    public record Row(ScheduleInfo info, String words) {}

    private Response list(Call call) {
        List<Row> rows = snapshots.schedules().stream()
                .map(schedule -> new Row(schedule, words(schedule)))
                .toList();
        return templates.page(call, "schedules", Map.of("schedules", rows));
    }

    private Response one(Call call) {
        String name = call.required("name");
        ScheduleInfo schedule =
                queue.schedules().find(name).orElseThrow(() -> new Refusal(404, "there is no schedule " + name));
        return templates.page(
                call,
                "schedule",
                Json.object(
                        "schedule", schedule,
                        "words", words(schedule),
                        "next", next(schedule),
                        "ticks", queue.schedules().ticks(name, LAST)));
    }

    /** Returns the next times, or just the first of them if the later ones depend on the end of a run. */
    private static List<Instant> next(ScheduleInfo schedule) {
        List<Instant> next = new ArrayList<>();
        Instant first = schedule.nextAt();
        Recurrence recurrence = schedule.recurrence();
        if (first != null) {
            next.add(first);
            boolean isFixed = recurrence != null && !(recurrence instanceof Recurrence.Pause);
            while (isFixed && recurrence != null && next.size() < NEXT) {
                next.add(recurrence.next(next.get(next.size() - 1), first));
            }
        }
        return next;
    }
}
