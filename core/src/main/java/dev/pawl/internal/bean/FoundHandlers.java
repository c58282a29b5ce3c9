package dev.pawl.internal.bean;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import dev.pawl.schedule.Schedule;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All handlers that were found among the beans of an application, checked against each other. Immutable. */
public final class FoundHandlers {
    private final Map<String, FoundHandler> byKind = new LinkedHashMap<>();

    private final List<Schedule<?>> schedules;

    /**
     * @param handlers of the application
     * @param types the beans that are types of jobs, by the places to be named in messages
     * @param schedules the beans that are schedules, by the names of the beans
     * @throws IllegalStateException if two handlers have one kind, two schedules one name, or a {@link JobType} differs
     *     from the handler of its kind
     */
    public FoundHandlers(
            Collection<FoundHandler> handlers, Map<String, JobType<?>> types, Map<String, Schedule<?>> schedules) {
        for (FoundHandler handler : handlers) {
            FoundHandler other = byKind.putIfAbsent(handler.type().kind(), handler);
            if (other != null) {
                throw new IllegalStateException("kind '" + handler.type().kind() + "' has two handlers: "
                        + other.place() + " and " + handler.place() + ": give one of them another kind, or remove it");
            }
        }
        this.schedules = List.copyOf(schedules.values());
        requireOneOfEachName(schedules);
        Map<String, JobType<?>> declared = new LinkedHashMap<>(types);
        schedules.forEach((bean, schedule) -> declared.put("the schedule of bean '" + bean + "'", enqueued(schedule)));
        DeclaredTypes all = new DeclaredTypes(declared);
        handlers.forEach(all::addConstants);
        all.requireMatchingHandler(byKind);
    }

    private static <T> JobType<T> enqueued(Schedule<T> schedule) {
        return schedule.type().withDefaults(schedule.options());
    }

    /** Two schedules with one name would silently replace each other. */
    private void requireOneOfEachName(Map<String, Schedule<?>> schedules) {
        Map<String, String> places = new LinkedHashMap<>();
        byKind.values().forEach(handler -> {
            Schedule<?> schedule = handler.schedule();
            if (schedule != null) {
                place(places, schedule.name(), handler.place());
            }
        });
        schedules.forEach((bean, schedule) -> place(places, schedule.name(), "bean '" + bean + "'"));
    }

    private static void place(Map<String, String> places, String name, String place) {
        String other = places.putIfAbsent(name, place);
        if (other != null) {
            throw new IllegalStateException("schedule '" + name + "' is declared twice: by " + other + " and by "
                    + place + ": give one of them another name, or remove it");
        }
    }

    /** {@return the kinds that have handlers} */
    public Set<String> kinds() {
        return Set.copyOf(byKind.keySet());
    }

    /** {@return the declarations of the handlers that run in the transaction that completes their job} */
    public List<String> transactional() {
        return byKind.values().stream()
                .filter(FoundHandler::transactional)
                .map(FoundHandler::place)
                .toList();
    }

    /** {@return names of schedules that handlers have switched off} */
    public Set<String> withdrawn() {
        Set<String> names = new TreeSet<>();
        byKind.values().stream()
                .map(FoundHandler::withdrawn)
                .filter(Objects::nonNull)
                .forEach(names::add);
        return names;
    }

    /**
     * Adds all handlers and their schedules. If a handler or a schedule of its kind names a queue, the worker claims in equal shares from
     * all queues named in this way and from {@code default}.
     *
     * @param worker receives them
     * @throws IllegalStateException if one is not valid
     */
    public void addTo(WorkerBuilder worker) {
        Map<String, Integer> queues = new TreeMap<>();
        byKind.values().forEach(handler -> {
            queues.put(handler.type().defaults().queue(), 1);
            Schedule<?> schedule = handler.schedule();
            if (schedule != null) {
                queues.put(schedule.options().queue(), 1);
            }
        });
        schedules.stream()
                .filter(schedule -> byKind.containsKey(schedule.type().kind()))
                .forEach(schedule -> queues.put(schedule.options().queue(), 1));
        queues.put(EnqueueOptions.DEFAULTS.queue(), 1);
        if (queues.size() > 1) {
            worker.weightedQueues(queues);
        }
        byKind.values().forEach(handler -> handler.addTo(worker));
    }
}
