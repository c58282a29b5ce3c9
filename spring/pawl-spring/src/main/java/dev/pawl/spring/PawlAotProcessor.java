package dev.pawl.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.aot.BeanFactoryInitializationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Registers native image hints for everything that Pawl accesses by name: its SQL, the handlers' methods, and the
 * payloads that Jackson reads.
 */
final class PawlAotProcessor implements BeanFactoryInitializationAotProcessor {
    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        if (beans.getBeanNamesForType(JobHandlers.class, true, false).length == 0) {
            return null;
        }
        HandlerSearch search = new HandlerSearch(beans);
        List<Method> methods = new ArrayList<>();
        List<Type> payloads = new ArrayList<>();
        for (HandlerSearch.OnMethod found : search.methods()) {
            methods.add(found.method());
            payloads.add(SpringMethod.of(
                            found.method(), found.owner(), found.annotation().chunk() > 0)
                    .payload());
        }
        for (String bean : search.handlerBeans()) {
            ResolvableType payload = search.payload(bean);
            if (payload != null) {
                payloads.add(payload.getType());
            }
        }
        return new Contribution(methods, payloads);
    }

    /**
     * @param methods that are called by reflection
     * @param payloads that are read as JSON
     */
    private record Contribution(List<Method> methods, List<Type> payloads)
            implements BeanFactoryInitializationAotContribution {
        @Override
        public void applyTo(GenerationContext context, BeanFactoryInitializationCode code) {
            RuntimeHints hints = context.getRuntimeHints();
            methods.forEach(method -> hints.reflection().registerMethod(method, ExecutableMode.INVOKE));
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(hints.reflection(), payloads.toArray(Type[]::new));
        }
    }
}
