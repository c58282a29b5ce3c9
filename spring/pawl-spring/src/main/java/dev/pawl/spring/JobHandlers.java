package dev.pawl.spring;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.schedule.Schedule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The handlers among the beans of an application: methods with {@link JobHandler}, and beans that are
 * {@link dev.pawl.api.JobHandler}s; and its beans of type {@link Schedule}. Searched after all singletons have been
 * created; an invalid handler, two handlers of one kind, or two schedules of one name fail the start. Thread-safe after
 * that.
 */
public final class JobHandlers implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private volatile Map<String, FoundHandler> byKind = Map.of();

    /**
     * @param beans of the application
     */
    public JobHandlers(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * @throws ConfigurationException if a handler is invalid, two have one kind, two schedules one name, or a
     *     {@link dev.pawl.api.JobType} differs from the handler of its kind
     */
    @Override
    public void afterSingletonsInstantiated() {
        try {
            byKind = found();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw ConfigurationException.of(e);
        }
    }

    private Map<String, FoundHandler> found() {
        Map<String, FoundHandler> found = new LinkedHashMap<>();
        for (FoundHandler handler : new HandlerMaker(beans).all()) {
            FoundHandler other = found.putIfAbsent(handler.type().kind(), handler);
            if (other != null) {
                throw new ConfigurationException(
                        "kind '" + handler.type().kind() + "' has two handlers: " + other.place() + " and "
                                + handler.place(),
                        "give one of them another kind, or remove it");
            }
        }
        requireOneOfEachName(found);
        DeclaredTypes types = new DeclaredTypes(beans);
        found.values().forEach(types::addConstants);
        types.requireLike(found);
        return found;
    }

    /** Two schedules with one name would silently replace each other. */
    private void requireOneOfEachName(Map<String, FoundHandler> found) {
        Map<String, String> places = new LinkedHashMap<>();
        found.values().forEach(handler -> {
            Schedule<?> schedule = handler.schedule();
            if (schedule != null) {
                place(places, schedule.name(), handler.place());
            }
        });
        beans.getBeansOfType(Schedule.class)
                .forEach((bean, schedule) -> place(places, schedule.name(), "bean '" + bean + "'"));
    }

    private static void place(Map<String, String> places, String name, String place) {
        String other = places.putIfAbsent(name, place);
        if (other != null) {
            throw new ConfigurationException(
                    "schedule '" + name + "' is declared twice: by " + other + " and by " + place,
                    "give one of them another name, or remove it");
        }
    }

    /** {@return the kinds that have handlers} */
    public Set<String> kinds() {
        return Set.copyOf(byKind.keySet());
    }

    /** {@return whether any of them runs in the transaction that completes its job} */
    public boolean anyTransactional() {
        return !transactional().isEmpty();
    }

    /** {@return the declarations of the handlers that run in the transaction that completes their job} */
    List<String> transactional() {
        return byKind.values().stream()
                .filter(FoundHandler::transactional)
                .map(FoundHandler::place)
                .toList();
    }

    /** {@return names of schedules that are switched off by {@code -}, and that no bean declares} */
    Set<String> withdrawn() {
        Set<String> names = new TreeSet<>();
        byKind.values().stream()
                .map(FoundHandler::withdrawn)
                .filter(Objects::nonNull)
                .forEach(names::add);
        schedules().forEach(schedule -> names.remove(schedule.name()));
        return names;
    }

    /**
     * Adds all handlers and the schedules. If handlers name queues, the worker claims from these and {@code default} in
     * equal shares.
     *
     * @param worker receives them
     * @throws ConfigurationException if the worker refuses a handler or a schedule
     */
    public void addTo(WorkerBuilder worker) {
        Map<String, Integer> queues = new TreeMap<>();
        byKind.values().forEach(handler -> queues.put(handler.type().defaults().queue(), 1));
        queues.put(EnqueueOptions.DEFAULTS.queue(), 1);
        if (queues.size() > 1) {
            worker.weightedQueues(queues);
        }
        try {
            byKind.values().forEach(handler -> handler.addTo(worker));
        } catch (IllegalStateException e) {
            throw ConfigurationException.of(e);
        }
        for (Schedule<?> schedule : schedules()) {
            worker.schedule(schedule);
        }
    }

    private List<Schedule<?>> schedules() {
        return beans.getBeansOfType(Schedule.class).values().stream()
                .<Schedule<?>>map(schedule -> schedule)
                .toList();
    }
}
