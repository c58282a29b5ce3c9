package dev.pawl.spring;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.JobType;
import dev.pawl.internal.bean.FoundHandlers;
import dev.pawl.schedule.Schedule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The handlers among the beans of an application (methods with {@link JobHandler}, and beans that are {@link dev.pawl.api.JobHandler}s),
 * and its beans of type {@link Schedule}. They are searched after all singletons have been created. The start fails if a handler is
 * invalid, two handlers have one kind, or two schedules have one name. Thread-safe after the search.
 */
public final class JobHandlers implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private volatile FoundHandlers found = new FoundHandlers(List.of(), Map.of(), Map.of());

    /**
     * @param beans of the application
     */
    public JobHandlers(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * @throws ConfigurationException if a handler is invalid, two handlers have one kind, two schedules have one name, or a {@link
     *     dev.pawl.api.JobType} differs from the handler of its kind
     */
    @Override
    public void afterSingletonsInstantiated() {
        try {
            found = found();
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw ConfigurationException.of(e);
        }
    }

    private FoundHandlers found() {
        Map<String, JobType<?>> types = new LinkedHashMap<>();
        beans.getBeansOfType(JobType.class, true, false)
                .forEach((name, type) -> types.put("the JobType of bean '" + name + "'", type));
        Map<String, Schedule<?>> schedules = new LinkedHashMap<>();
        beans.getBeansOfType(Schedule.class).forEach(schedules::put);
        return new FoundHandlers(new HandlerMaker(beans).all(), types, schedules);
    }

    /** {@return the kinds that have handlers} */
    public Set<String> kinds() {
        return found.kinds();
    }

    /** {@return whether any handler runs in the transaction that completes its job} */
    public boolean anyTransactional() {
        return !transactional().isEmpty();
    }

    /** {@return the declarations of the handlers that run in the transaction that completes their job} */
    List<String> transactional() {
        return found.transactional();
    }

    /** {@return the names of schedules that a {@link Recurring} switches off by {@code -}, except names of schedules that beans declare} */
    Set<String> withdrawn() {
        Set<String> names = found.withdrawn();
        schedules().forEach(schedule -> names.remove(schedule.name()));
        return names;
    }

    /**
     * Adds all handlers and the schedules. If a handler or a schedule of its kind names a queue, the worker claims in equal shares from all
     * queues named in this way and from {@code default}.
     *
     * @param worker receives them
     * @throws ConfigurationException if the worker refuses a handler or a schedule
     */
    public void addTo(WorkerBuilder worker) {
        try {
            found.addTo(worker);
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
