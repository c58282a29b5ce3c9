package dev.pawl.spring;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** A bean that a property names. */
final class NamedBean {
    private NamedBean() {}

    /** @throws ConfigurationException if there is no such bean */
    static <T> T of(ListableBeanFactory beans, String property, String name, Class<T> type) {
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, type)) {
            String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type);
            throw new ConfigurationException(
                    property + " is '" + name + "', and no " + type.getSimpleName() + " bean has that name",
                    names.length == 0
                            ? "declare one, or remove the property"
                            : "set it to one of " + String.join(", ", names) + ", or remove it");
        }
        return beans.getBean(name, type);
    }
}
