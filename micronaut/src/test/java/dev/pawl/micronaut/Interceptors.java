package dev.pawl.micronaut;

import dev.pawl.WorkerBuilder;
import dev.pawl.api.JobRun;
import dev.pawl.api.Outcome;
import dev.pawl.api.RunInterceptor;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An interceptor, and a customizer that adds another one, as that of a library for traces does. */
@Singleton
class Interceptors implements RunInterceptor, WorkerCustomizer {
    private final List<String> calls = new CopyOnWriteArrayList<>();

    @Override
    public Outcome intercept(JobRun run, Handling handler) throws Exception {
        calls.add("the bean");
        return handler.proceed();
    }

    @Override
    public void customize(WorkerBuilder worker) {
        worker.intercept((run, handler) -> {
            calls.add("the customizer's");
            return handler.proceed();
        });
    }

    List<String> calls() {
        return List.copyOf(calls);
    }
}
